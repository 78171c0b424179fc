import type { Connection } from "vscode-languageserver/node";
import { type ClientModelPart, ModelsPart, ModelsStream } from "../../../shared/contract/client-models.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import { newId } from "../../engine/id.ts";
import type { AskClient } from "../../models/index.ts";
import type { ClientRequests } from "./client-requests.ts";
import type { UserConsent } from "./user-consent.ts";

/** JSON-RPC's code of a request that the client does not know. */
const METHOD_NOT_FOUND = -32601;

/** How much of the client's reason is shown. */
const LONGEST_REASON = 300;

/** Sends requests for models to the client, and gives each the parts of its answer as they arrive. */
export function clientModels(connection: Connection, client: ClientRequests, consent: UserConsent): AskClient {
  const answers = new Map<string, PartQueue>();
  const questions = new Map<string, () => void>();
  const settle = (requestId: string): void => {
    questions.get(requestId)?.();
    questions.delete(requestId);
  };
  connection.onNotification(ModelsPart.method, (params: unknown) => {
    const parsed = ModelsPart.params.safeParse(params);
    const answer = parsed.success ? answers.get(parsed.data.requestId) : undefined;
    if (!parsed.success || answer === undefined) return;
    const { requestId, parts, asksUser } = parsed.data;
    if (asksUser !== undefined) settle(requestId);
    if (asksUser === true) questions.set(requestId, consent.asked());
    answer.add(parts);
  });
  return (params, signal) => {
    const requestId = newId("request");
    const unread = new AbortController();
    const parts = new PartQueue(signal, () => unread.abort());
    answers.set(requestId, parts);
    const result = client
      .send(ModelsStream, { requestId, ...params }, AbortSignal.any([signal, unread.signal]))
      .catch((error: unknown) => failed(error))
      .finally(() => {
        answers.delete(requestId);
        settle(requestId);
        parts.end();
      });
    return { parts, result };
  };
}

function failed(error: unknown) {
  if (error instanceof Error && "code" in error && error.code === METHOD_NOT_FOUND) {
    return { failure: "notFound" as const, message: "this client has no models" };
  }
  return { failure: "failed" as const, message: messageOf(error).slice(0, LONGEST_REASON) };
}

/** The parts of one answer, in order, until it ends or its signal is aborted. */
class PartQueue implements AsyncIterable<ClientModelPart> {
  readonly #signal: AbortSignal;
  readonly #left: () => void;
  #waiting: ClientModelPart[] = [];
  #ended = false;
  #wake = Promise.withResolvers<void>();

  /** @param left is called when no more parts are read, also when the reader has refused one. */
  constructor(signal: AbortSignal, left: () => void) {
    this.#signal = signal;
    this.#left = left;
  }

  add(parts: readonly ClientModelPart[]): void {
    if (this.#ended) return;
    this.#waiting.push(...parts);
    this.#wake.resolve();
  }

  end = (): void => {
    this.#ended = true;
    this.#wake.resolve();
  };

  async *[Symbol.asyncIterator](): AsyncGenerator<ClientModelPart, void, undefined> {
    this.#signal.addEventListener("abort", this.end, { once: true });
    try {
      while (!this.#signal.aborted) {
        const parts = this.#waiting;
        this.#waiting = [];
        yield* parts;
        if (this.#waiting.length > 0) continue;
        if (this.#ended) return;
        await this.#wake.promise;
        this.#wake = Promise.withResolvers<void>();
      }
    } finally {
      this.#signal.removeEventListener("abort", this.end);
      this.#ended = true;
      this.#waiting = [];
      this.#left();
    }
  }
}
