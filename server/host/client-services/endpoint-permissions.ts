import { EndpointsAllow } from "../../../shared/contract/client-requests.ts";
import { unlessAborted } from "../../engine/cancellation/unless-aborted.ts";
import type { EndpointQuestion } from "../../models/index.ts";
import type { ClientRequests } from "./client-requests.ts";
import type { UserConsent } from "./user-consent.ts";

/** A question that the client has not answered yet, and how many requests to models wait for the answer. */
interface OpenQuestion {
  readonly answer: Promise<boolean>;
  readonly cancel: () => void;
  waiting: number;
}

/** Which endpoints the user allows, as the client says: it is asked once for each. A refusal is not remembered. */
export class EndpointPermissions {
  readonly #client: ClientRequests;
  readonly #consent: UserConsent;
  readonly #allowed = new Set<string>();
  readonly #questions = new Map<string, OpenQuestion>();

  constructor(client: ClientRequests, consent: UserConsent) {
    this.#client = client;
    this.#consent = consent;
  }

  /**
   * Requests that need the same answer share one question. It is cancelled when all of them are aborted; the result for an
   * aborted request is false.
   *
   * @throws the error of a client that cannot ask.
   */
  async isAllowed(question: EndpointQuestion, signal: AbortSignal): Promise<boolean> {
    if (this.#allowed.has(question.origin)) return true;
    const open = this.#questions.get(question.origin) ?? this.#ask(question);
    open.waiting += 1;
    try {
      return (await unlessAborted(open.answer, signal)) ?? false;
    } finally {
      open.waiting -= 1;
      if (open.waiting === 0) open.cancel();
    }
  }

  /** The endpoint is no longer allowed. */
  forget(origin: string): void {
    this.#allowed.delete(origin);
  }

  #ask(question: EndpointQuestion): OpenQuestion {
    const { origin } = question;
    const controller = new AbortController();
    const close = (): void => {
      if (this.#questions.get(origin) === open) this.#questions.delete(origin);
    };
    const asked = this.#consent.during(this.#client.send(EndpointsAllow, question, controller.signal));
    const answer = asked.then(({ allowed }) => {
      if (allowed && !controller.signal.aborted) this.#allowed.add(origin);
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
    this.#questions.set(origin, open);
    return open;
  }
}
