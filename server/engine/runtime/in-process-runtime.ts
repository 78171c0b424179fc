import { systemTimers, type Timers } from "../timers.ts";
import { Mailbox } from "./mailbox.ts";
import {
  AbandonedError,
  type Address,
  type DeliveryOptions,
  type MessageContext,
  type MessageHandler,
  type RegisterOptions,
  type Runtime,
  type Topic,
  UndeliveredError,
  type Unregister,
} from "./runtime.ts";

interface Agent {
  readonly handler: MessageHandler<unknown, unknown>;
  readonly mailbox: Mailbox;
}

const NEVER = new AbortController().signal;

/**
 * A runtime whose agents run in this process. Errors of handlers of published messages go to `onError`, as no sender waits
 * for them.
 */
export class InProcessRuntime implements Runtime {
  readonly #agents = new Map<string, Agent>();
  readonly #subscribers = new Map<string, Set<string>>();
  readonly #onError: (error: unknown) => void;
  readonly #timers: Timers;
  #running = true;

  constructor(onError: (error: unknown) => void, timers: Timers = systemTimers) {
    this.#onError = onError;
    this.#timers = timers;
  }

  register<M, R>(address: Address<M, R>, handler: MessageHandler<M, R>, options: RegisterOptions = {}): Unregister {
    if (this.#agents.has(address.id)) throw new Error(`An agent is already registered at ${address.id}.`);
    this.#agents.set(address.id, {
      // Sound because the address ties both types together: only messages of type M are sent to it.
      handler: handler as MessageHandler<unknown, unknown>,
      mailbox: new Mailbox({ serial: options.serial ?? true, held: !this.#running }),
    });
    return () => this.#agents.delete(address.id);
  }

  send<M, R>(to: Address<M, R>, message: M, options: DeliveryOptions = {}): Promise<R> {
    const agent = this.#agents.get(to.id);
    if (agent === undefined) return Promise.reject(new Error(`No agent is registered at ${to.id}.`));
    return new Promise((resolve, reject) => {
      const how = { options, timers: this.#timers };
      const pending = new PendingMessage(agent, message, how, (answer) => resolve(answer as R), reject);
      pending.post();
    });
  }

  publish<M>(topic: Topic<M>, message: M): void {
    for (const id of this.#subscribers.get(topic.id) ?? []) {
      const agent = this.#agents.get(id);
      agent?.mailbox.post(() =>
        settle(() => agent.handler(message, { signal: NEVER, soft: NEVER }), noAnswer, this.#onError),
      );
    }
  }

  subscribe<M>(topic: Topic<M>, address: Address<M, unknown>): Unregister {
    const subscribers = this.#subscribers.get(topic.id) ?? new Set();
    this.#subscribers.set(topic.id, subscribers.add(address.id));
    return () => subscribers.delete(address.id);
  }

  start(): void {
    this.#running = true;
    for (const { mailbox } of this.#agents.values()) mailbox.release();
  }

  async stop(): Promise<void> {
    this.#running = false;
    const agents = [...this.#agents.values()];
    for (const { mailbox } of agents) mailbox.hold();
    await Promise.all(agents.map(({ mailbox }) => mailbox.idle()));
  }
}

/** One sent message, until it is answered, withdrawn or abandoned. */
class PendingMessage {
  readonly #agent: Agent;
  readonly #message: unknown;
  readonly #signal: AbortSignal;
  readonly #soft: AbortSignal;
  readonly #graceMs: DeliveryOptions["graceMs"];
  readonly #timers: Timers;
  readonly #resolve: (answer: unknown) => void;
  readonly #reject: (error: unknown) => void;
  #cancelTimer: () => void = () => {};
  #isStarted = false;
  #release: () => void = () => {};

  constructor(
    agent: Agent,
    message: unknown,
    { options, timers }: { readonly options: DeliveryOptions; readonly timers: Timers },
    resolve: (answer: unknown) => void,
    reject: (error: unknown) => void,
  ) {
    this.#agent = agent;
    this.#message = message;
    this.#signal = options.signal ?? NEVER;
    this.#soft = options.soft ?? NEVER;
    this.#graceMs = options.graceMs;
    this.#timers = timers;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  post(): void {
    this.#signal.addEventListener("abort", this.#aborted);
    if (this.#signal.aborted) this.#aborted();
    this.#release = this.#agent.mailbox.post(() => this.#start());
  }

  #start(): undefined | Promise<void> {
    // An interrupt that came first means that the handler is not called (the Timbal external interrupt design,
    // DECISIONS.md).
    if (this.#signal.aborted) return undefined;
    this.#isStarted = true;
    const context: MessageContext = { signal: this.#signal, soft: this.#soft };
    return settle(
      () => this.#agent.handler(this.#message, context),
      (answer) => {
        this.#done();
        this.#resolve(answer);
      },
      (error) => {
        this.#done();
        this.#reject(error);
      },
    );
  }

  readonly #aborted = (): void => {
    if (!this.#isStarted) {
      this.#done();
      this.#reject(new UndeliveredError("The message was withdrawn before it was delivered."));
    } else if (this.#graceMs !== undefined) {
      const ms = typeof this.#graceMs === "number" ? this.#graceMs : this.#graceMs();
      this.#cancelTimer = this.#timers.after(ms, () => {
        this.#reject(new AbandonedError(`The agent did not stop within ${ms} ms.`));
        this.#release();
      });
    }
  };

  #done(): void {
    this.#cancelTimer();
    this.#signal.removeEventListener("abort", this.#aborted);
  }
}

const noAnswer = (): void => {};

/** Runs `work`, synchronous or not, and passes its result or error on. Never throws. */
function settle(
  work: () => unknown,
  resolve: (answer: unknown) => void,
  reject: (error: unknown) => void,
): undefined | Promise<void> {
  try {
    const answer = work();
    if (answer instanceof Promise) return answer.then(resolve, reject);
    resolve(answer);
  } catch (error) {
    reject(error);
  }
  return undefined;
}
