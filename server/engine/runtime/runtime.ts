/** Where an agent is reached: it takes messages of type `M` and answers with an `R`. Plain data both, so that a broker can carry them. */
export interface Address<M, R> {
  readonly id: string;
  /** Never set: it ties the types to the address. */
  readonly types?: (message: M) => R;
}

/** A subject to publish to and to subscribe to. */
export interface Topic<M> {
  readonly id: string;
  readonly types?: (message: M) => void;
}

/** How a message reached its handler. */
export interface MessageContext {
  /** Aborted when the sender no longer wants the answer. */
  readonly signal: AbortSignal;
  /** Aborted when the sender wants the handler to begin nothing more, and to answer with what it has. */
  readonly soft: AbortSignal;
}

export type Handler<M, R> = (message: M, delivery: MessageContext) => R | Promise<R>;

export interface RegisterOptions {
  /** False lets an agent work on several messages at once; the default is a serial mailbox. */
  readonly serial?: boolean;
}

export interface DeliveryOptions {
  readonly signal?: AbortSignal | undefined;
  readonly soft?: AbortSignal | undefined;
  /** How long the handler may go on after `signal` was aborted, in milliseconds, before it is abandoned. Without it, for as long as it likes. */
  readonly graceMs?: number | undefined;
}

/** The end of a registration or a subscription. */
export type Unregister = () => void;

/** The answer was no longer wanted before the handler began, so it was never called. */
export class UndeliveredError extends Error {
  override readonly name = "NotDelivered";
}

/** The handler did not end in time after its signal was aborted; its mailbox has gone on without it. */
export class AbandonedError extends Error {
  override readonly name = "Abandoned";
}

/**
 * Carries messages between agents (seed 001, "Message-Based Communication System"). Delivery can be stopped and started
 * while the agents keep their state; what is sent meanwhile waits, and nothing is lost.
 */
export interface Runtime {
  register<M, R>(address: Address<M, R>, handler: Handler<M, R>, options?: RegisterOptions): Unregister;

  /**
   * Delivers to one agent, as a call with an answer.
   * @throws what the handler throws; NotDelivered or Abandoned after an abort; Error when nobody is registered there.
   */
  send<M, R>(to: Address<M, R>, message: M, options?: DeliveryOptions): Promise<R>;

  /** Delivers to every subscriber's mailbox, in the order of publishing. */
  publish<M>(topic: Topic<M>, message: M): void;
  subscribe<M>(topic: Topic<M>, address: Address<M, unknown>): Unregister;

  start(): void;
  /** Delivers nothing more; resolves when the handlers at work have ended. */
  stop(): Promise<void>;
}
