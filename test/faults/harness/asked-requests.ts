import assert from "node:assert/strict";
import { ResponseError } from "vscode-jsonrpc/node";
import { messageOf } from "../../../shared/contract/errors.ts";

/** How long requests may be open when nothing keeps them from being answered, in milliseconds. */
const LIMIT = 200_000;

/** Requests that were sent, each of which has to be answered. */
export class AskedRequests {
  readonly #allowed: ReadonlySet<string>;
  readonly #open = new Map<Promise<unknown>, string>();
  readonly #unexpected: string[] = [];

  /** `allowed`: the codes of errors that a request may be refused with. */
  constructor(allowed: readonly string[]) {
    this.#allowed = new Set(allowed);
  }

  /** `what` names the request in a failure. */
  add(what: string, answer: Promise<unknown>): void {
    const settled = answer.then(
      () => {},
      (error: unknown) => {
        const code = error instanceof ResponseError ? String(error.data?.code) : "no answer";
        if (!this.#allowed.has(code)) this.#unexpected.push(`${what}: ${code}, ${messageOf(error)}`);
      },
    );
    this.#open.set(settled, what);
    void settled.then(() => this.#open.delete(settled));
  }

  /** Resolves when no request is open. */
  async idle(): Promise<void> {
    while (this.#open.size > 0) await Promise.race(this.#open.keys());
  }

  /** Resolves when every request has been answered. @throws AssertionError when one is not, or with another error. */
  async answered(): Promise<void> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error(`Not answered: ${[...this.#open.values()].join(", ")}.`)),
      LIMIT,
    );
    try {
      await Promise.race([this.idle(), late.promise]);
    } finally {
      clearTimeout(timer);
    }
    assert.deepEqual(this.#unexpected, []);
  }
}
