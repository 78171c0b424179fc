import type { ContentPart, Usage } from "../../shared/contract/message.ts";
import type { ModelInfo } from "../../shared/contract/model-choice.ts";
import type { ToolCall } from "../../shared/contract/team.ts";

/** A tool as it is described to a model. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One item of the conversation that a model is shown, from the view of its participant. */
export type ContextItem =
  /** A message of another source. `directedTo` names the target of a directed message. */
  | {
      readonly role: "user";
      readonly source: string;
      readonly content: string | readonly ContentPart[];
      readonly directedTo?: string;
    }
  /** A message or tool calls of the participant itself. A partial was cut short by an interrupt. */
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly calls: readonly ToolCall[];
      readonly partial?: true;
    }
  /** The result of one of the participant's calls: exactly one per call, after the item with the call. */
  | {
      readonly role: "tool";
      readonly ref: string;
      readonly name: string;
      readonly output: unknown;
      readonly isError: boolean;
    };

/** Answers of one kind: how many are complete, and the text of an interrupted one so far. */
export interface AnswerProgress {
  /** How many complete answers: messages, batches of calls, and answers outside the thread (a manager's). */
  readonly answers: number;
  readonly partialText: string;
}

/** The answers of one model since the team's start or last reset, whether or not the items still show them. */
export interface ModelProgress {
  /** Its answers in the normal flow of the conversation. */
  readonly conversation: AnswerProgress;
  /** Its answers to directed messages. */
  readonly directed: AnswerProgress;
  /** True when its next answer is to a directed message. */
  readonly isDirected: boolean;
  /** How many answers `directed` had when `conversation` was last interrupted. */
  readonly interruptedAfter: number;
}

/** One request to a model. */
export interface ModelRequest {
  /** Who sends it: a participant's name, or the kind of the team for its manager (`selector`, `magentic`). */
  readonly participant: string;
  readonly instructions: string;
  readonly items: readonly ContextItem[];
  readonly tools: readonly ToolSpec[];
  /**
   * The answer must be JSON of this schema. Not every endpoint enforces that, so the caller validates the answer.
   */
  readonly output?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> } | undefined;
  /** The progress of the model; left out by callers without a team. */
  readonly progress?: ModelProgress | undefined;
}

/**
 * A tool call as the model returned it: `id` comes from the endpoint and may be missing, `arguments` is JSON text and may
 * not parse. `signedThoughts` is kept with the call, and is for the model alone.
 */
export interface ModelCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly arguments: string;
  readonly signedThoughts?: string | undefined;
}

/** One part of a streamed answer. `calls` comes once, at the end, with all calls of the answer in order. */
export type ModelPart =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thought"; readonly delta: string }
  | { readonly type: "calls"; readonly calls: readonly ModelCall[] }
  | { readonly type: "usage"; readonly usage: Usage };

/** A failed request that is repeated after `waitMs` milliseconds. */
export interface ModelRetry {
  /** 1 for the first repetition. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly reason: string;
  readonly status?: number | undefined;
}

/** A request that is not sent yet, as its endpoint takes no more at the moment. */
export interface ModelWait {
  /** The endpoint, as the user knows it, such as `api.example.com`. */
  readonly endpoint: string;
  /** When it may be sent, in milliseconds since 1970; left out if that depends on others. */
  readonly until?: number | undefined;
}

/** A model could not answer, and another one is asked. */
export interface ModelFallback {
  readonly from: ModelInfo;
  readonly to: ModelInfo;
  /** The cause, in a few words. */
  readonly reason: string;
}

/** The context of one request to a model. */
export interface ModelCallContext {
  /** Aborted by an interrupt: the stream must then return or throw immediately, and close its connection. */
  readonly signal: AbortSignal;
  onRetry(retry: ModelRetry): void;
  /** Where another model could answer: how long to wait for the endpoint at most, in milliseconds. Then `stream` throws. */
  readonly longestWaitMs?: number;
  /** Called when the request begins to wait for the endpoint's rate limit, and with undefined when it is sent after all. */
  onWait?(wait: ModelWait | undefined): void;
  onFallback?(fallback: ModelFallback): void;
}

/**
 * A language model. `stream` throws a GavelError `ModelError` when the endpoint fails permanently. A model keeps no state
 * between requests.
 */
export interface Model {
  /** Its name for the user, such as `gpt-5 at api.example.com`. */
  readonly label: string;
  /** As users see it; messages tell it. A model that is made by code may have none. */
  readonly info?: ModelInfo | undefined;
  stream(request: ModelRequest, context: ModelCallContext): AsyncIterable<ModelPart>;
}
