import {
  AbandonedError,
  type Address,
  type DeliveryOptions,
  InProcessRuntime,
  type MessageHandler,
  type RegisterOptions,
  type Runtime,
  systemTimers,
  type Timers,
  type Topic,
  type Unregister,
  withLoadedTexts,
} from "../../engine/index.ts";
import type { Link } from "../link.ts";
import { LinkNode, type NodeOptions } from "../node/node.ts";
import { decodeMessage, encodeMessage, type NodeMessage } from "./node-message.ts";
import { asData, asError } from "./remote-error.ts";

/** The other node cannot be reached any more: whether its handler has ended is not known. */
export class LostError extends Error {
  override readonly name = "LostError";
}

/** A message that this node has sent, until it is answered. */
interface Sent {
  readonly to: string;
  readonly answered: (value: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/** A message that this node handles for another one. */
interface Handled {
  readonly from: string;
  readonly signal: AbortController;
  readonly soft: AbortController;
  graceMs: number | undefined;
}

/**
 * A runtime whose agents may be in other processes, on other machines: an address with a `node` is reached over the link. A
 * message is sent as a request, its handler's answer comes back as one, and an abort of `signal` and `soft` follows it at
 * once. What a handler publishes to a topic of the sender comes before its answer. When one of two nodes is lost, what was
 * sent to it fails with a {@link LostError}, and what is handled for it is aborted. Messages and answers are JSON.
 */
export class LinkRuntime implements Runtime {
  readonly #inner: InProcessRuntime;
  readonly #node: LinkNode;
  readonly #timers: Timers;
  readonly #sent = new Map<number, Sent>();
  /** By the node and the id of the message. */
  readonly #handled = new Map<string, Handled>();
  #lastId = 0;

  /** Errors of handlers of published messages go to `onError`, as no sender waits for them. */
  constructor(link: Link, options: NodeOptions, onError: (error: unknown) => void) {
    this.#timers = options.timers ?? systemTimers;
    this.#inner = new InProcessRuntime(onError, this.#timers);
    this.#node = new LinkNode(link, options, {
      message: (from, message) => this.#receive(from, message),
      lost: (node, why) => this.#lost(node, why),
    });
  }

  /** The id of this node, for the addresses that others send to. */
  get node(): string {
    return this.#node.id;
  }

  register<M, R>(address: Address<M, R>, handler: MessageHandler<M, R>, options?: RegisterOptions): Unregister {
    return this.#inner.register(address, handler, options);
  }

  send<M, R>(to: Address<M, R>, message: M, options: DeliveryOptions = {}): Promise<R> {
    if (to.node === undefined || to.node === this.node) return this.#inner.send(to, message, options);
    return this.#sendTo(to.node, to.id, message, options) as Promise<R>;
  }

  publish<M>(topic: Topic<M>, message: M): void {
    if (topic.node === undefined || topic.node === this.node) this.#inner.publish(topic, message);
    else this.#post(topic.node, { kind: "publish", topic: topic.id, message });
  }

  subscribe<M>(topic: Topic<M>, address: Address<M, unknown>): Unregister {
    return this.#inner.subscribe(topic, address);
  }

  start(): void {
    this.#inner.start();
  }

  stop(): Promise<void> {
    return this.#inner.stop();
  }

  /** Leaves the link. What is handled for others is aborted. */
  close(): void {
    for (const handled of this.#handled.values()) handled.signal.abort();
    this.#node.close();
    for (const { failed } of this.#sent.values()) failed(new LostError("this process has left the link"));
    this.#sent.clear();
  }

  async #sendTo(node: string, to: string, message: unknown, options: DeliveryOptions): Promise<unknown> {
    const { signal, soft, graceMs } = options;
    const id = ++this.#lastId;
    // Long texts of stored messages are read while this is written.
    const encoding = withLoadedTexts(
      () => encodeMessage({ kind: "send", id, to, message }),
      () => {},
    );
    const encoded = encoding instanceof Promise ? await encoding : encoding;
    if (signal?.aborted) throw new DOMException("The message was withdrawn before it was sent.", "AbortError");
    const unwatch = this.#node.watch(node);
    const answer = Promise.withResolvers<unknown>();
    this.#sent.set(id, { to: node, answered: answer.resolve, failed: answer.reject });
    let cancelTimer = (): void => {};
    const aborted = (): void => {
      const ms = typeof graceMs === "function" ? graceMs() : graceMs;
      this.#post(node, { kind: "abort", id, ...(ms === undefined ? {} : { graceMs: ms }) });
      if (ms === undefined) return;
      // The other node ends the handler's turn by itself; this is for one that does not answer.
      cancelTimer = this.#timers.after(ms, () =>
        answer.reject(new AbandonedError(`The agent did not stop within ${ms} ms.`)),
      );
    };
    const softened = (): void => this.#post(node, { kind: "soft", id });
    signal?.addEventListener("abort", aborted, { once: true });
    soft?.addEventListener("abort", softened, { once: true });
    try {
      this.#node.send(node, encoded);
      if (soft?.aborted) softened();
      return await answer.promise;
    } finally {
      cancelTimer();
      signal?.removeEventListener("abort", aborted);
      soft?.removeEventListener("abort", softened);
      this.#sent.delete(id);
      unwatch();
    }
  }

  #post(node: string, message: NodeMessage): void {
    this.#node.send(node, encodeMessage(message));
  }

  #receive(from: string, data: Uint8Array): void {
    const message = decodeMessage(data);
    if (message === undefined) return;
    switch (message.kind) {
      case "send":
        void this.#handle(from, message);
        return;
      case "soft":
        this.#handled.get(keyOf(from, message.id))?.soft.abort();
        return;
      case "abort":
        this.#abort(this.#handled.get(keyOf(from, message.id)), message.graceMs);
        return;
      case "answer":
        this.#answerTo(from, message.id)?.answered(message.value);
        return;
      case "failed":
        this.#answerTo(from, message.id)?.failed(asError(message.error));
        return;
      case "publish":
        this.#inner.publish({ id: message.topic }, message.message);
    }
  }

  #answerTo(from: string, id: number): Sent | undefined {
    const sent = this.#sent.get(id);
    return sent?.to === from ? sent : undefined;
  }

  async #handle(from: string, { id, to, message }: Extract<NodeMessage, { kind: "send" }>): Promise<void> {
    const unwatch = this.#node.watch(from);
    const handled: Handled = { from, signal: new AbortController(), soft: new AbortController(), graceMs: undefined };
    this.#handled.set(keyOf(from, id), handled);
    const { signal, soft } = handled;
    try {
      const value = await this.#inner.send({ id: to }, message, {
        signal: signal.signal,
        soft: soft.signal,
        graceMs: () => handled.graceMs ?? Number.MAX_SAFE_INTEGER,
      });
      this.#post(from, { kind: "answer", id, value });
    } catch (error) {
      this.#post(from, { kind: "failed", id, error: asData(error) });
    } finally {
      this.#handled.delete(keyOf(from, id));
      unwatch();
    }
  }

  #abort(handled: Handled | undefined, graceMs: number | undefined): void {
    if (handled === undefined) return;
    handled.graceMs = graceMs;
    handled.signal.abort();
  }

  #lost(node: string, why: string): void {
    for (const { to, failed } of [...this.#sent.values()]) if (to === node) failed(new LostError(why));
    for (const handled of [...this.#handled.values()]) if (handled.from === node) handled.signal.abort();
  }
}

const keyOf = (node: string, id: number): string => `${node}/${id}`;
