import { newId } from "../../engine/index.ts";
import { encodeFrame } from "./frame.ts";

/** The largest piece of a message, in bytes: servers of NATS take 1 MB. */
const PIECE = 256 * 1024;
/** How many pieces are sent before the first of them is known to have come. */
const WINDOW = 64;
/** The most that waits for one receiver, in bytes. */
const MOST = 256 * 1024 * 1024;

interface Piece {
  readonly n: number;
  readonly hasMore: boolean;
  readonly body: Uint8Array;
}

/** The receiver does not take what it is sent. */
export class OverflowError extends Error {
  override readonly name = "OverflowError";
}

/**
 * What one node sends another, in order and without gaps, over a link that may lose anything: pieces are kept until the
 * receiver has them, and sent again from the first that is missing (go-back-N).
 */
export class OutgoingStream {
  readonly id = newId("stream");
  readonly #from: string;
  readonly #send: (frame: Uint8Array) => void;
  /** From the first that the receiver may not have. */
  #pieces: Piece[] = [];
  #first = 0;
  /** The next piece that was never sent. */
  #unsent = 0;
  #bytes = 0;
  /** The last one that was sent again because it was missing, so that each loss is answered once. */
  #resentFrom = -1;

  constructor(from: string, send: (frame: Uint8Array) => void) {
    this.#from = from;
    this.#send = send;
  }

  /** Whether there is something that the receiver may not have. */
  get isWaiting(): boolean {
    return this.#pieces.length > 0;
  }

  /** Whether the receiver has pieces of it, as far as is known. */
  get isKnown(): boolean {
    return this.#first > 0;
  }

  /** @throws OverflowError */
  write(message: Uint8Array): void {
    if (this.#bytes + message.length > MOST)
      throw new OverflowError(`More than ${MOST / 1024 / 1024} MB wait for one receiver on the link.`);
    for (let at = 0; at === 0 || at < message.length; at += PIECE) {
      const body = message.subarray(at, at + PIECE);
      const n = this.#first + this.#pieces.length;
      this.#pieces.push({ n, hasMore: at + PIECE < message.length, body });
      this.#bytes += body.length;
    }
    this.#sendNew();
  }

  /** The receiver has all pieces below `next`. */
  got(next: number, isMissing: boolean): void {
    const count = Math.min(next - this.#first, this.#pieces.length);
    if (count > 0) {
      for (const piece of this.#pieces.splice(0, count)) this.#bytes -= piece.body.length;
      this.#first += count;
      this.#unsent = Math.max(this.#unsent, this.#first);
    }
    if (isMissing && this.#resentFrom !== next) {
      this.#resentFrom = next;
      this.sendAgain();
    } else if (!isMissing) this.#sendNew();
  }

  /** Sends again what the receiver may not have. */
  sendAgain(): void {
    this.#unsent = this.#first;
    this.#sendNew();
  }

  #sendNew(): void {
    const end = Math.min(this.#first + this.#pieces.length, this.#first + WINDOW);
    for (; this.#unsent < end; this.#unsent++) {
      const piece = this.#pieces[this.#unsent - this.#first];
      if (piece !== undefined) this.#sendPiece(piece);
    }
  }

  #sendPiece({ n, hasMore, body }: Piece): void {
    const more = hasMore ? { more: true as const } : {};
    const fresh = this.isKnown ? {} : { fresh: true as const };
    this.#send(encodeFrame({ kind: "piece", from: this.#from, stream: this.id, n, ...more, ...fresh }, body));
  }
}
