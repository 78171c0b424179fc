import type { DataCallback, Disposable, Message, MessageReader, MessageWriter } from "vscode-languageserver/node";
import { checkMessage, type MessageError } from "./check-message.ts";

type Within = (work: () => void) => void;

/** A reader that passes on only what {@link checkMessage} accepts. Anything else is answered through the writer. */
export class CheckedReader implements MessageReader {
  readonly onError: MessageReader["onError"];
  readonly onClose: MessageReader["onClose"];
  readonly onPartialMessage: MessageReader["onPartialMessage"];
  readonly #reader: MessageReader;
  readonly #writer: MessageWriter;
  readonly #within: Within;

  /** `within` does what a message leads to. */
  constructor(reader: MessageReader, writer: MessageWriter, within: Within = (work) => work()) {
    this.onError = reader.onError;
    this.onClose = reader.onClose;
    this.onPartialMessage = reader.onPartialMessage;
    this.#reader = reader;
    this.#writer = writer;
    this.#within = within;
  }

  listen(callback: DataCallback): Disposable {
    return this.#reader.listen((value) => {
      const checked = checkMessage(value);
      if (checked === "ignore") return;
      if ("pass" in checked) this.#within(() => callback(checked.pass));
      else answer(this.#writer, checked.answer);
    });
  }

  dispose(): void {
    this.#reader.dispose();
  }
}

/** Sends an error. A writer that fails has its own listeners. */
export function answer(writer: MessageWriter, { id, error }: MessageError): void {
  const message: Message & MessageError = { jsonrpc: "2.0", id, error };
  writer.write(message).catch(() => {});
}
