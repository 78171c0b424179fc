/** What goes over a link: bytes. */
export interface LinkMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** Answers a request; does nothing for a message that is none. */
  respond(data: Uint8Array): void;
}

/**
 * What carries messages between processes on several machines, by subjects, as NATS does
 * (https://docs.nats.io/nats-concepts/subjects). Nothing is kept: what is sent while the link is down, or to a subject that
 * nothing has subscribed to, is lost.
 */
export interface Link {
  /** What the user knows it by, without passwords. */
  readonly name: string;
  /** Whether messages are carried now. */
  readonly isUp: boolean;
  publish(subject: string, data: Uint8Array): void;
  /** `receive` must not throw. Of the subscriptions with one `queue`, only one gets each message. Ends it when called. */
  subscribe(subject: string, receive: (message: LinkMessage) => void, queue?: string): () => void;
  /** The first answer; undefined where nothing has subscribed to the subject, or none came within `ms` milliseconds. */
  request(subject: string, data: Uint8Array, ms: number): Promise<Uint8Array | undefined>;
  /** Calls `changed` whenever the link goes down or comes up again. Ends it when called. */
  onStatus(changed: (isUp: boolean) => void): () => void;
  /** Sends what was published, and ends the link. */
  close(): Promise<void>;
}
