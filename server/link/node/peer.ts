import type { Timers } from "../../engine/index.ts";
import { encodeFrame, type Header } from "./frame.ts";
import { IncomingStream } from "./incoming-stream.ts";
import { OutgoingStream } from "./outgoing-stream.ts";

/** How long a node may collect pieces before it tells their sender, in milliseconds. */
const TELL_MS = 20;
/** After how long pieces are sent again whose receiver has not said that it has them, in milliseconds. */
const AGAIN_MS = 500;
/** How often a node that is watched is asked whether it is there, in milliseconds. */
const BEAT_MS = 1_000;

export interface PeerOptions {
  /** The id of this node. */
  readonly own: string;
  readonly timers: Timers;
  /** After how many milliseconds of silence the other node counts as lost. */
  readonly silence: number;
  readonly send: (frame: Uint8Array) => void;
  readonly deliver: (message: Uint8Array) => void;
  readonly lost: (why: string) => void;
}

/** Another node: what is sent to it, what came from it, and whether it is there. */
export class Peer {
  readonly #options: PeerOptions;
  readonly #outgoing: OutgoingStream;
  #incoming: IncomingStream | undefined;
  #watchers = 0;
  #isLost = false;
  #heard: number;
  #asked = 0;
  #sent = 0;
  #stopTelling: (() => void) | undefined;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#heard = options.timers.now();
    this.#outgoing = new OutgoingStream(options.own, options.send);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether it can be forgotten: no one watches it, and it has all that was sent. */
  get isIdle(): boolean {
    return this.#watchers === 0 && !this.#outgoing.isWaiting;
  }

  /** When something last came from it, in milliseconds of the clock. */
  get heard(): number {
    return this.#heard;
  }

  /** @throws OverflowError */
  write(message: Uint8Array): void {
    if (!this.#outgoing.isWaiting) this.#sent = this.#options.timers.now();
    this.#outgoing.write(message);
  }

  /** From now on it is known whether the node is there. */
  watch(): void {
    if (this.#watchers++ === 0) this.#heard = this.#options.timers.now();
  }

  unwatch(): void {
    this.#watchers--;
  }

  receive(header: Header, body: Uint8Array): void {
    this.#heard = this.#options.timers.now();
    switch (header.kind) {
      case "piece":
        this.#piece(header, body);
        return;
      case "got":
        if (header.stream !== this.#outgoing.id) return;
        this.#sent = this.#options.timers.now();
        this.#outgoing.got(header.next, header.missing === true);
        return;
      case "gone":
        if (header.stream === this.#outgoing.id) this.lose("it has been started again, or had given this one up");
        return;
      case "beat":
        if (header.stream !== undefined && header.stream !== this.#incoming?.id) this.#gone(header.stream);
        if (header.answer) this.#beat();
    }
  }

  /** Called from time to time. `isFair`: this process was not kept from hearing the node. */
  tick(isFair: boolean): void {
    const { timers, silence } = this.#options;
    const now = timers.now();
    if (!isFair) this.#heard = Math.max(this.#heard, now - silence / 2);
    if (now - this.#heard > silence && !this.isIdle) {
      this.lose("it does not answer");
      return;
    }
    if (this.#outgoing.isWaiting && now - this.#sent > AGAIN_MS) {
      this.#sent = now;
      this.#outgoing.sendAgain();
    }
    if (this.#watchers > 0 && now - this.#asked >= BEAT_MS) {
      this.#asked = now;
      this.#beat({ answer: true });
    }
  }

  /** The link is up again: what may be lost is sent again, and the node is asked whether it is there. */
  reconnected(): void {
    this.#asked = 0;
    this.#heard = this.#options.timers.now();
    this.#outgoing.sendAgain();
    this.tick(true);
  }

  lose(why: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#stopTelling?.();
    this.#options.lost(why);
  }

  #beat(answer: { readonly answer?: true } = {}): void {
    const { own, send } = this.#options;
    const stream = this.#outgoing.isKnown ? { stream: this.#outgoing.id } : {};
    send(encodeFrame({ kind: "beat", from: own, ...answer, ...stream }));
  }

  /** This node has given the stream up, or forgotten it: its sender must know. */
  #gone(stream: string): void {
    const { own, send } = this.#options;
    send(encodeFrame({ kind: "gone", from: own, stream }));
  }

  #piece({ stream, n, more, fresh }: Extract<Header, { kind: "piece" }>, body: Uint8Array): void {
    if (this.#incoming?.id !== stream) {
      if (!fresh) {
        this.#gone(stream);
        return;
      }
      if (this.#incoming !== undefined) {
        this.lose("it has begun again");
        return;
      }
      this.#incoming = new IncomingStream(stream, this.#options.deliver);
    }
    const received = this.#incoming.receive(n, more === true, body);
    if (this.#isLost) return;
    if (received === "later") this.#stopTelling ??= this.#options.timers.after(TELL_MS, () => this.#tell(false));
    else this.#tell(received === "missing");
  }

  #tell(isMissing: boolean): void {
    this.#stopTelling?.();
    this.#stopTelling = undefined;
    const incoming = this.#incoming;
    if (incoming === undefined || this.#isLost) return;
    incoming.told();
    const missing = isMissing ? { missing: true as const } : {};
    const { own, send } = this.#options;
    send(encodeFrame({ kind: "got", from: own, stream: incoming.id, next: incoming.next, ...missing }));
  }
}
