import type { z } from "zod";
import type { ClientModelPart, ModelsStream } from "../../../shared/contract/client-models.ts";
import type { ClientModel } from "../../../shared/contract/definition.ts";
import { type GavelError, modelError } from "../../../shared/contract/errors.ts";
import type { Usage } from "../../../shared/contract/message.ts";
import type { ParamsOf, ResultOf } from "../../../shared/contract/message-type.ts";
import { textTokens } from "../../../shared/tokens.ts";
import { frameTokens, itemTokens } from "../../engine/context/tokens.ts";
import type { Model, ModelCall, ModelPart, ModelRequest } from "../../engine/model.ts";
import { type Failover, withFailover } from "../failures/failover.ts";
import { withImages } from "../images/attach-images.ts";
import { costOf } from "../price.ts";
import { clientMessages } from "./client-messages.ts";

type Params = Omit<ParamsOf<typeof ModelsStream>, "requestId">;
type Result = z.output<(typeof ModelsStream)["result"]>;
type Failed = Extract<Result, { readonly failure: unknown }>;

/** An answer of the client's model while it arrives: its parts, and at its end the result. */
interface ClientAnswer {
  readonly parts: AsyncIterable<ClientModelPart>;
  readonly result: Promise<ResultOf<typeof ModelsStream>>;
}

/** Asks a model of the client. When `signal` is aborted, the parts end at once. */
export type AskClient = (params: Params, signal: AbortSignal) => ClientAnswer;

/** The longest answer, in characters: far more than any model writes. */
const LONGEST_ANSWER = 16_000_000;

/** A model that the client supplies, such as one of VS Code's language models. It needs no key of Gavel's. */
export function clientModel(definition: ClientModel, ask: AskClient): Model {
  const { vendor, model, maxTokens } = definition;
  const label = model ?? (vendor === undefined ? "the editor's language model" : `a model of ${vendor}`);
  return {
    label,
    async *stream(request, { signal }) {
      const attached = await withImages(request);
      if (signal.aborted) return;
      const { parts, result } = ask(
        {
          participant: request.participant,
          ...(vendor === undefined ? {} : { vendor }),
          ...(model === undefined ? {} : { model }),
          messages: clientMessages(attached),
          tools: request.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
          ...(maxTokens === undefined ? {} : { maxTokens }),
        },
        signal,
      );
      const answer = new Answer(label);
      for await (const part of parts) yield* answer.add(part);
      if (signal.aborted) return;
      const end = await result;
      if ("failure" in end) {
        const error = failureError(end, label, answer.length > 0);
        const kind = FAILOVERS[end.failure];
        throw withFailover(error, kind === undefined ? undefined : { kind, reason: `${label} is not available` });
      }
      yield* answer.finish(usageOf(definition, attached, answer, end.usage));
    },
  };
}

/** What has come of an answer. */
class Answer {
  readonly #label: string;
  readonly #calls: ModelCall[] = [];
  /** The characters so far. */
  length = 0;
  /** Estimated from what has come. */
  tokens = 0;

  constructor(label: string) {
    this.#label = label;
  }

  *add(part: ClientModelPart): Iterable<ModelPart> {
    const written = part.type === "call" ? `${part.name}${JSON.stringify(part.input ?? {})}` : part.delta;
    this.length += written.length;
    this.tokens += textTokens(written);
    if (this.length > LONGEST_ANSWER) {
      throw modelError(`${this.#label} sent an answer without an end; the text so far is kept. Run the team again.`, {
        retryable: false,
        model: this.#label,
      });
    }
    if (part.type !== "call") yield part;
    else this.#calls.push({ id: part.id, name: part.name, arguments: JSON.stringify(part.input ?? {}) });
  }

  *finish(usage: Usage): Iterable<ModelPart> {
    if (this.#calls.length > 0) yield { type: "calls", calls: this.#calls };
    yield { type: "usage", usage };
  }
}

/** What the model reported, or an estimate that is marked as one, so that budgets hold for every model. */
function usageOf(
  { price }: ClientModel,
  { instructions, tools, output, items }: ModelRequest,
  answer: Answer,
  reported: { readonly prompt: number; readonly completion: number } | undefined,
): Usage {
  const { prompt, completion } = reported ?? {
    prompt: items.reduce((sum, item) => sum + itemTokens(item), frameTokens(instructions, tools, output?.schema)),
    completion: answer.tokens,
  };
  return {
    prompt,
    completion,
    total: prompt + completion,
    ...(price === undefined ? {} : { cost: costOf({ prompt, completion, cached: 0 }, price) }),
    ...(reported === undefined ? { estimated: true as const } : {}),
  };
}

const CHOOSE = 'choose another with "Gavel: Select Model…"';

/** Why another model may answer. What the user does not allow is not evaded. */
const FAILOVERS: Readonly<Record<Failed["failure"], Failover["kind"] | undefined>> = {
  notFound: "account",
  notAllowed: undefined,
  refused: "account",
  failed: "outage",
};

function failureError({ failure, message }: Failed, label: string, hasStarted: boolean): GavelError {
  const kept = hasStarted ? " The text so far is kept." : "";
  switch (failure) {
    case "notFound":
      return modelError(
        `The editor has no language model for ${label}; sign in to a provider of models, such as GitHub Copilot, or ${CHOOSE}.`,
        { retryable: false, fix: "teamFile", model: label },
      );
    case "notAllowed":
      return modelError(
        `Gavel may not use ${label}; run the team again and allow it when VS Code asks, or ${CHOOSE}.${kept}`,
        { retryable: true, model: label },
      );
    case "refused":
      return modelError(
        `${label} refused the request: ${message}; if its quota is used up, wait, or ${CHOOSE}.${kept}`,
        { retryable: true, model: label },
      );
    case "failed":
      return modelError(`${label} failed: ${message}; try again, or ${CHOOSE}.${kept}`, {
        retryable: !hasStarted,
        model: label,
      });
    default:
      return failure satisfies never;
  }
}
