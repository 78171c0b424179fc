import type { Readable } from "node:stream";
import { AbstractMessageReader, type DataCallback, Disposable, type MessageReader } from "vscode-languageserver/node";
import { LIMITS } from "../../../shared/limits.ts";

/** Well above the saved state of a long team. */
const MAX_LENGTH = LIMITS.message.bytes;

/** The limit on the headers of a message, in bytes. */
const MAX_HEADERS = 4096;

const HEADERS_END = "\r\n\r\n";

/** What was received instead of a message. */
export interface BrokenInput {
  /** A sentence that says what is wrong. */
  readonly problem: string;
  /** True if it is not known where the next message starts. */
  readonly isLost: boolean;
}

/**
 * Reads messages in LSP framing. What is not one is reported rather than dropped: the reader of vscode-jsonrpc waits forever
 * after a header that it does not understand.
 */
export class FrameReader extends AbstractMessageReader implements MessageReader {
  readonly #input: Readable;
  readonly #onBroken: (broken: BrokenInput) => void;
  #chunks: Buffer[] = [];
  #size = 0;
  /** The length of the message whose headers have been read. */
  #length: number | undefined;
  #isLost = false;

  constructor(input: Readable, onBroken: (broken: BrokenInput) => void) {
    super();
    this.#input = input;
    this.#onBroken = onBroken;
  }

  /** True if a message has started and is not complete. */
  get isWithinMessage(): boolean {
    return this.#size > 0 || this.#length !== undefined;
  }

  listen(callback: DataCallback): Disposable {
    const onData = (chunk: Buffer): void => this.#add(chunk, callback);
    this.#input.on("data", onData);
    this.#input.on("error", (error) => this.fireError(error));
    this.#input.on("close", () => this.fireClose());
    return Disposable.create(() => this.#input.off("data", onData));
  }

  #add(chunk: Buffer, callback: DataCallback): void {
    if (this.#isLost) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (!this.#isLost && this.#readNext(callback));
  }

  /** Reads headers or a message. Returns whether there may be more. */
  #readNext(callback: DataCallback): boolean {
    if (this.#length === undefined) return this.#readHeaders();
    if (this.#size < this.#length) return false;
    const body = this.#take(this.#length);
    this.#length = undefined;
    const message = messageIn(body);
    if (typeof message === "string") this.#onBroken({ problem: message, isLost: false });
    else callback(message.value);
    return this.#size > 0;
  }

  #readHeaders(): boolean {
    const received = this.#joined();
    const end = received.indexOf(HEADERS_END);
    if (end === -1 && received.length <= MAX_HEADERS) return false;
    const length = end === -1 ? undefined : lengthIn(received.toString("latin1", 0, end));
    if (length === undefined) return this.#lose("The headers of a message have no valid Content-Length.");
    if (length > MAX_LENGTH) return this.#lose(`A message is longer than ${MAX_LENGTH / 1024 / 1024} MB, the limit.`);
    this.#take(end + HEADERS_END.length);
    this.#length = length;
    return true;
  }

  #lose(problem: string): false {
    this.#isLost = true;
    this.#onBroken({ problem, isLost: true });
    return false;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  #take(length: number): Buffer {
    const received = this.#joined();
    this.#chunks = length < received.length ? [received.subarray(length)] : [];
    this.#size -= length;
    return received.subarray(0, length);
  }
}

/** The length that headers give; undefined if they give none, or are no headers. */
function lengthIn(headers: string): number | undefined {
  const lines = headers.split("\r\n").map((line) => /^([\w-]{1,100}):[ \t]*([^\r\n]*)$/.exec(line));
  const lengths = lines.filter((line) => line?.[1]?.toLowerCase() === "content-length").map((line) => line?.[2] ?? "");
  const [length = ""] = lengths;
  return lines.includes(null) || lengths.length !== 1 || !/^\d{1,15}[ \t]*$/.test(length) ? undefined : Number(length);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

/** The JSON value of a message, or a sentence that says why there is none. */
function messageIn(body: Buffer): { readonly value: never } | string {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    return "A message is not valid UTF-8.";
  }
  try {
    return { value: JSON.parse(text) as never };
  } catch {
    return "A message is not valid JSON.";
  }
}
