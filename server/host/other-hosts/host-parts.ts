import type { Duplex } from "node:stream";
import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { User } from "../../../shared/contract/people.ts";
import type { HostLog } from "../log/host-log.ts";
import type { HostIdentity } from "../store/host-identity.ts";

/**
 * What hosts on a link need of this one. They are a bundle of their own, whose errors are of other classes: those that are
 * answered are made here.
 */
export interface HostParts {
  readonly host: HostIdentity;
  readonly gavelVersion: string;
  /** Whether a team runs now. */
  readonly isBusy: () => boolean;
  /** The living host, other than this one, that has a team. */
  readonly ownerOf: (teamId: string) => Promise<HostIdentity | undefined>;
  /** The stored events of a team from one `seq` to another. */
  readonly eventsBetween: (teamId: string, after: number, upTo: number) => Promise<readonly DurableEvent[]>;
  /** Whether the user has a client at this host. */
  readonly isConnected: (user: string) => boolean;
  /** False while the user continues although nothing can be stored. */
  readonly isStoring: () => boolean;
  /** Another host has connected, to act in the name of its clients or to follow teams. */
  readonly accept: (stream: Duplex) => void;
  /** Begins the protocol with another host. */
  readonly converse: (stream: Duplex) => Conversation;
  /** Where clients follow the team, tells them what other hosts have done in it. Never rejects. */
  readonly look: (teamId: string) => Promise<void>;
  /** The host that had the team cannot be reached any more, and what it did is not known. */
  readonly lost: (teamId: string) => Error;
  readonly log: HostLog;
}

/** A connection to another host, with the protocol. */
export interface Conversation {
  /** @throws ResponseError what the other host answers, or a ConversationEnd when the stream ends before that. */
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown>;
  notify(method: string, params: object): void;
  onNotification(listener: (method: string, params: unknown) => void): void;
}

/** What a {@link Conversation} throws for a request that its end has left without an answer. */
export const CONVERSATION_END = "ConversationEnd";

/** A client of this host, for which another host is asked. */
export interface ActingClient {
  readonly id: string;
  readonly user: User;
  /** The program that it is. */
  readonly program: string;
  /** Tells the client that its interrupt has taken effect, if it asked to hear that. */
  interruptReceived(teamId: string): void;
}

/** A request about a team, as a client has sent it. */
export interface ForwardedRequest {
  readonly client: ActingClient;
  readonly teamId: string;
  readonly method: string;
  readonly params: object;
  readonly signal: AbortSignal;
}
