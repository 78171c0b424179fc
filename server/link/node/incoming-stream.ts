import { LIMITS } from "../../../shared/limits.ts";

/** How many pieces are received before the sender is told. */
const PIECES_PER_ANSWER = 16;

/** What became of a piece: whether its sender is to be told at once, and whether one before it is missing. */
export type Received = "later" | "now" | "missing";

/** What one node receives of another: its messages in order, each once. */
export class IncomingStream {
  readonly id: string;
  readonly #deliver: (message: Uint8Array) => void;
  #next = 0;
  #told = 0;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(id: string, deliver: (message: Uint8Array) => void) {
    this.id = id;
    this.#deliver = deliver;
  }

  /** The first piece that has not come. */
  get next(): number {
    return this.#next;
  }

  /** Whether the sender does not know yet all that has come. */
  get isUntold(): boolean {
    return this.#told < this.#next;
  }

  told(): void {
    this.#told = this.#next;
  }

  /** @throws Error for a message that is too large. */
  receive(n: number, hasMore: boolean, body: Uint8Array): Received {
    if (n > this.#next) return "missing";
    // It came before, so the sender has not been told, or was told when it did not hear.
    if (n < this.#next) return "now";
    this.#next++;
    this.#bytes += body.length;
    if (this.#bytes > LIMITS.message.bytes) throw new Error("A message of the link is too large.");
    this.#pieces.push(body);
    if (!hasMore) {
      const [only, ...others] = this.#pieces;
      const message = only !== undefined && others.length === 0 ? only : Buffer.concat(this.#pieces);
      this.#pieces = [];
      this.#bytes = 0;
      this.#deliver(message);
    }
    return this.#next - this.#told >= PIECES_PER_ANSWER ? "now" : "later";
  }
}
