import { unlessAborted } from "../../engine/cancellation/unless-aborted.ts";
import type { UserConsent } from "./user-consent.ts";

/** A question that the client has not answered yet, and how many wait for the answer. */
interface OpenQuestion {
  readonly answer: Promise<boolean>;
  readonly cancel: () => void;
  waiting: number;
}

/** Questions to the user about what a team may do. Each is asked once if it is allowed; a refusal is not remembered. */
export class SharedQuestions {
  readonly #consent: UserConsent;
  readonly #allowed = new Set<string>();
  readonly #open = new Map<string, OpenQuestion>();

  constructor(consent: UserConsent) {
    this.#consent = consent;
  }

  /**
   * Those who need the same answer, by its key, share one question. It is cancelled when all of them are aborted; the result
   * for one that is aborted is false.
   *
   * @throws the error of a client that cannot ask.
   */
  async isAllowed(key: string, signal: AbortSignal, ask: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
    if (this.#allowed.has(key)) return true;
    const open = this.#open.get(key) ?? this.#ask(key, ask);
    open.waiting += 1;
    try {
      return (await unlessAborted(open.answer, signal)) ?? false;
    } finally {
      open.waiting -= 1;
      if (open.waiting === 0) open.cancel();
    }
  }

  /** It is no longer allowed. */
  forget(key: string): void {
    this.#allowed.delete(key);
  }

  #ask(key: string, ask: (signal: AbortSignal) => Promise<boolean>): OpenQuestion {
    const controller = new AbortController();
    const close = (): void => {
      if (this.#open.get(key) === open) this.#open.delete(key);
    };
    const answer = this.#consent.during(ask(controller.signal)).then((allowed) => {
      if (allowed && !controller.signal.aborted) this.#allowed.add(key);
      return allowed;
    });
    const open: OpenQuestion = {
      answer: answer.finally(close),
      cancel: () => {
        close();
        controller.abort();
      },
      waiting: 0,
    };
    this.#open.set(key, open);
    return open;
  }
}
