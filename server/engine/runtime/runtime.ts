/**
 * The address of an agent that receives messages of type `M` and answers with `R`, both plain data so that a broker could
 * carry them.
 */
export interface Address<M, R> {
  readonly id: string;
  /** The process that has the agent, for a runtime of several; that of the sender if left out. */
  readonly node?: string;
  /** Never set: it only ties the types to the address. */
  readonly types?: (message: M) => R;
}

/** A topic to publish to and to subscribe to. */
export interface Topic<M> {
  readonly id: string;
  /** The process with its subscribers, for a runtime of several; that of the publisher if left out. */
  readonly node?: string;
  readonly types?: (message: M) => void;
}

/** What the sender of a message can do to the handler that processes it. */
export interface MessageContext {
  /** Aborted when the sender no longer wants the answer. */
  readonly signal: AbortSignal;
  /** Aborted when the handler should start nothing more and answer with what it has. */
  readonly soft: AbortSignal;
}

export type MessageHandler<M, R> = (message: M, context: MessageContext) => R | Promise<R>;

export interface RegisterOptions {
  /** False lets the agent process several messages concurrently; true, one at a time, if left out. */
  readonly serial?: boolean;
}

export interface DeliveryOptions {
  readonly signal?: AbortSignal | undefined;
  readonly soft?: AbortSignal | undefined;
  /**
   * How long the handler may take after `signal` was aborted before it is abandoned, in milliseconds; unlimited if left out.
   * A function is called at the abort.
   */
  readonly graceMs?: number | (() => number) | undefined;
}

/** Ends a registration or a subscription. */
export type Unregister = () => void;

/** The sender aborted before the handler started, so the handler was never called. */
export class UndeliveredError extends Error {
  override readonly name = "UndeliveredError";
}

/** The handler did not end in time after its signal was aborted; its mailbox continues without it. */
export class AbandonedError extends Error {
  override readonly name = "AbandonedError";
}

/**
 * Carries messages between agents (the AutoGen interrupt design, DECISIONS.md). Delivery can be stopped and started while
 * the agents keep their state; messages sent meanwhile wait, and none is lost.
 */
export interface Runtime {
  register<M, R>(address: Address<M, R>, handler: MessageHandler<M, R>, options?: RegisterOptions): Unregister;

  /**
   * Sends a message to one agent and resolves with its answer.
   * @throws what the handler throws; UndeliveredError or AbandonedError after an abort; Error if no agent is registered
   * there.
   */
  send<M, R>(to: Address<M, R>, message: M, options?: DeliveryOptions): Promise<R>;

  /** Delivers a message to the mailbox of every subscriber, in the order of publishing. */
  publish<M>(topic: Topic<M>, message: M): void;
  subscribe<M>(topic: Topic<M>, address: Address<M, unknown>): Unregister;

  start(): void;
  /** Stops delivery; resolves when all running handlers have ended. */
  stop(): Promise<void>;
}
