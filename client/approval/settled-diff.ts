import { commands, type Disposable } from "vscode";
import { SETTLE_MS } from "../common/settle-ms.ts";
import { SETTLED_KEY } from "../contributions.ts";

/** Whether the diff of a proposed change has been there for a while, and so can be decided on. */
export class SettledDiff implements Disposable {
  #settled = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get isSettled(): boolean {
    return this.#settled;
  }

  /** A diff has appeared, or shows something else. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#set(false);
    this.#timer = setTimeout(() => this.#set(true), SETTLE_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #set(settled: boolean): void {
    this.#settled = settled;
    void commands.executeCommand("setContext", SETTLED_KEY, settled);
  }
}
