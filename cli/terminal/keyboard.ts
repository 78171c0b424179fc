import { emitKeypressEvents, type Key } from "node:readline";
import type { ReadStream } from "node:tty";

/** A key, or several characters that were pasted at once. */
export interface KeyPress {
  readonly name: string | undefined;
  /** The characters that it types; empty for a key that types none. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
}

const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";

/** The keys of a terminal, one by one: Ctrl+C too, which is then no signal. */
export class Keyboard implements Disposable {
  readonly #input: ReadStream;
  readonly #write: (text: string) => void;
  readonly #listener: (text: string | undefined, key: Key) => void;
  readonly #closed: () => void;

  /** @param closed called when there is no terminal any more. */
  constructor(
    input: ReadStream,
    { write, pressed, closed }: { write: (text: string) => void; pressed: (key: KeyPress) => void; closed: () => void },
  ) {
    this.#input = input;
    this.#write = write;
    this.#closed = closed;
    this.#listener = (text, { name, ctrl, meta, sequence }) => {
      const typed = text ?? (name === undefined ? (sequence ?? "") : "");
      pressed({ name, text: ctrl || meta ? "" : printable(typed), ctrl: ctrl ?? false, meta: meta ?? false });
    };
    emitKeypressEvents(input);
    input.setRawMode(true);
    input.on("keypress", this.#listener);
    input.on("end", closed);
    input.on("error", closed);
    input.resume();
    write(PASTE_ON);
  }

  [Symbol.dispose](): void {
    this.#input.off("keypress", this.#listener);
    this.#input.off("end", this.#closed);
    this.#input.setRawMode(false);
    this.#input.pause();
    this.#write(PASTE_OFF);
  }
}

/** A pasted line end is a space: it must not send what is typed. */
const printable = (text: string): string => text.replaceAll(/[\r\n\t]+/g, " ").replaceAll(/\p{Cc}/gu, "");
