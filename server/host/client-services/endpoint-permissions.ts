import { EndpointsAllow } from "../../../shared/contract/client-requests.ts";
import type { EndpointQuestion } from "../../models/index.ts";
import type { ClientRequests } from "./client-requests.ts";
import { SharedQuestions } from "./shared-questions.ts";
import type { UserConsent } from "./user-consent.ts";

/** Which endpoints the user allows, as the client says: it is asked once for each. A refusal is not remembered. */
export class EndpointPermissions {
  readonly #client: ClientRequests;
  readonly #questions: SharedQuestions;

  constructor(client: ClientRequests, consent: UserConsent) {
    this.#client = client;
    this.#questions = new SharedQuestions(consent);
  }

  /** @throws the error of a client that cannot ask. */
  isAllowed(question: EndpointQuestion, signal: AbortSignal): Promise<boolean> {
    return this.#questions.isAllowed(
      question.origin,
      signal,
      async (asked) => (await this.#client.send(EndpointsAllow, question, asked)).allowed,
    );
  }

  /** The endpoint is no longer allowed. */
  forget(origin: string): void {
    this.#questions.forget(origin);
  }
}
