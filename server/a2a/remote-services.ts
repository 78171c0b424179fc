import type { SessionRecord } from "../agents/index.ts";
import type { Tool } from "../engine/index.ts";

type Headers = Readonly<Record<string, string>>;

/** A participant whose requests have headers. */
export interface AgentWithHeaders {
  readonly name: string;
  readonly url: string;
  /** As the team file has them. */
  readonly headers: Headers;
}

/** How an agent elsewhere is reached: only as the user allows. */
export interface RemoteAccess {
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
  /**
   * Whether the user allows that messages of this participant are sent to its address with these headers, which are shown as
   * the team file has them: this covers the origin, too.
   * @throws Error where no one can be asked.
   */
  maySendHeaders(agent: AgentWithHeaders, signal: AbortSignal): Promise<boolean>;
  /** The headers with what the user entered and the host's variables filled in. @throws Error that says what is missing. */
  filledIn(agent: AgentWithHeaders, signal: AbortSignal): Promise<Headers>;
  /** The key of that name for this participant; null without one, or when it may not be sent there. */
  key(secret: string, address: Pick<URL, "origin" | "host">, name: string): Promise<string | null>;
}

/** What a remote agent's participant needs from the host. */
export interface RemoteServices extends RemoteAccess {
  /** The source of the user's messages. */
  readonly user: string;
  /** The tool with which it asks the user. */
  readonly askUser: Tool;
  /** The session of an earlier process, if one is kept. */
  session(): Promise<SessionRecord | undefined>;
  keepSession(record: SessionRecord): Promise<void>;
  log(text: string): void;
}
