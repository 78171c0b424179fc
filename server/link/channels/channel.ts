import { Duplex } from "node:stream";
import type { ChannelHeader } from "./channel-frame.ts";

/** The most that one end sends before the other has read it, in bytes. */
const WINDOW = 1024 * 1024;
/** After how many bytes that were read the other end is told so. */
const TELL = WINDOW / 8;

type Unaddressed<H> = H extends unknown ? Omit<H, "id"> : never;

export interface ChannelOptions {
  readonly send: (header: Unaddressed<ChannelHeader>, body?: Uint8Array) => void;
  /** It is closed here. */
  readonly closed: () => void;
}

/**
 * A stream of bytes between two processes on a link. What its reader does not read waits at the writer, so that a slow one
 * takes little memory of either.
 */
export class Channel extends Duplex {
  readonly #options: ChannelOptions;
  #credit = WINDOW;
  #waiting: { readonly chunk: Uint8Array; readonly done: () => void } | undefined;
  /** What has come and its sender does not know to be read, in bytes. */
  #untold = 0;
  #isClosedThere = false;

  constructor(options: ChannelOptions) {
    super({ allowHalfOpen: false });
    this.#options = options;
  }

  /** A frame of the other end. */
  receive(header: ChannelHeader, body: Uint8Array): void {
    switch (header.kind) {
      case "data":
        this.#untold += body.length;
        // One that does not keep to the window is no end of this channel.
        if (this.#untold > 2 * WINDOW) this.destroy();
        else if (this.push(body)) this.#tellRead();
        return;
      case "read":
        this.#credit += header.bytes;
        this.#sendMore();
        return;
      case "end":
        this.push(null);
        return;
      case "close":
        this.lost();
        return;
      case "open":
    }
  }

  /** The other end is not there any more. */
  lost(): void {
    this.#isClosedThere = true;
    this.destroy();
  }

  override _write(chunk: Uint8Array, _encoding: unknown, done: () => void): void {
    this.#waiting = { chunk, done };
    this.#sendMore();
  }

  override _read(): void {
    this.#tellRead();
  }

  override _final(done: () => void): void {
    this.#options.send({ kind: "end" });
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#waiting = undefined;
    if (!this.#isClosedThere) this.#options.send({ kind: "close" });
    this.#options.closed();
    done(error);
  }

  #sendMore(): void {
    const waiting = this.#waiting;
    if (waiting === undefined || this.#credit <= 0) return;
    const part = waiting.chunk.subarray(0, this.#credit);
    this.#credit -= part.length;
    this.#options.send({ kind: "data" }, part);
    const rest = waiting.chunk.subarray(part.length);
    this.#waiting = rest.length > 0 ? { ...waiting, chunk: rest } : undefined;
    if (rest.length === 0) waiting.done();
  }

  #tellRead(): void {
    if (this.#untold < TELL || this.destroyed) return;
    this.#options.send({ kind: "read", bytes: this.#untold });
    this.#untold = 0;
  }
}
