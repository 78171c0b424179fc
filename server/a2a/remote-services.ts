import type { SessionRecord } from "../agents/index.ts";
import type { Tool } from "../engine/index.ts";

/** What a remote agent's participant needs from the host. */
export interface RemoteServices {
  /** The source of the user's messages. */
  readonly user: string;
  /**
   * Sends a request as the user's network settings say, and reads a limited amount of the answer. Redirects are not
   * followed. Rejects with an Error whose message is the rest of a sentence about the address.
   */
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /**
   * Whether the user allows that messages of this participant, and the key of that name, are sent to an origin.
   * @throws Error where no one can be asked.
   */
  mayReach(origin: string, name: string, secret: string | undefined, signal: AbortSignal): Promise<boolean>;
  /** The key of that name for this participant; null without one, or when it may not be sent there. */
  key(secret: string, address: Pick<URL, "origin" | "host">, name: string): Promise<string | null>;
  /** The tool with which it asks the user. */
  readonly askUser: Tool;
  /** The session of an earlier process, if one is kept. */
  session(): Promise<SessionRecord | undefined>;
  keepSession(record: SessionRecord): Promise<void>;
  log(text: string): void;
}
