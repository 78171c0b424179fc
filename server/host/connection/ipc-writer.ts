import { AbstractMessageWriter, type Message } from "vscode-languageserver/node";
import { encoded, MOST_UNREAD, type Outlet } from "./outlet.ts";

/** Writes messages to the parent process, and counts what the channel has not taken yet. */
export class IpcWriter extends AbstractMessageWriter implements Outlet {
  #unread = 0;
  #drained = Promise.withResolvers<void>();

  get isFull(): boolean {
    return this.#unread > MOST_UNREAD;
  }

  drained(): Promise<void> {
    return this.isFull ? this.#drained.promise : Promise.resolve();
  }

  /** Resolves at once: the order of the calls is the order on the channel. */
  write(given: Message): Promise<void> {
    // The channel does not say how much it holds.
    const { message, json } = encoded(given);
    const size = json.length;
    this.#unread += size;
    process.send?.(message, undefined, undefined, (error) => {
      this.#unread -= size;
      if (error !== null) this.fireError(error, message);
      if (this.isFull) return;
      this.#drained.resolve();
      this.#drained = Promise.withResolvers();
    });
    return Promise.resolve();
  }

  end(): void {}
}
