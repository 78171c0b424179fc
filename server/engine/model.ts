import type { ContentPart, Usage } from "../../shared/contract/message.ts";
import type { ToolCall } from "../../shared/contract/team.ts";

/** A tool as a model is offered it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One piece of what a model is shown of the talk, from the view of the participant it speaks for. */
export type ContextItem =
  /** Said by someone else. `directedTo` names the participant that a user's message was for. */
  | {
      readonly role: "user";
      readonly source: string;
      readonly content: string | readonly ContentPart[];
      readonly directedTo?: string;
    }
  /** Said, or asked of tools, by the participant itself. A partial was cut short by an interrupt. */
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly calls: readonly ToolCall[];
      readonly partial?: true;
    }
  /** The result of one of the participant's calls: exactly one for each, after the item that asked for it. */
  | {
      readonly role: "tool";
      readonly ref: string;
      readonly name: string;
      readonly output: unknown;
      readonly isError: boolean;
    };

/** Answers of one kind: how many whole ones, and what of the next one was said before an interrupt. */
export interface AnswerProgress {
  /** A message, a batch of calls, or an answer that is not in the thread (a manager's) each. */
  readonly answers: number;
  readonly partialText: string;
}

/** How far somebody has come since the team's beginning or its last reset, whatever of that the items still show. */
export interface ModelProgress {
  /** Its answers in the flow of the talk. */
  readonly conversation: AnswerProgress;
  /** Its answers to messages that were for it alone. */
  readonly directed: AnswerProgress;
  /** True when the next answer is one to such a message. */
  readonly isDirected: boolean;
  /** How many of `asked` there were when `talk` was last cut short. */
  readonly interruptedAfter: number;
}

/** One question to a model. */
export interface ModelRequest {
  /** Who asks: a participant's name, or the kind of the team whose manager it is (`selector`, `magentic`). */
  readonly participant: string;
  readonly instructions: string;
  readonly items: readonly ContextItem[];
  readonly tools: readonly ToolSpec[];
  /**
   * The answer is to be JSON of this schema. Not every endpoint holds its model to it, so whoever asks checks the answer.
   */
  readonly output?: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> } | undefined;
  /** How far it has come; left out by whoever asks without a team. */
  readonly progress?: ModelProgress | undefined;
}

/**
 * A tool call as a model gave it: `id` is the endpoint's own and may be missing, `arguments` is JSON text and may not parse.
 */
export interface ModelCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

/** What a model's answer is streamed as. `calls` comes once, at the end, with every call of the answer in order. */
export type ModelPart =
  | { readonly type: "text"; readonly delta: string }
  | { readonly type: "thought"; readonly delta: string }
  | { readonly type: "calls"; readonly calls: readonly ModelCall[] }
  | { readonly type: "usage"; readonly usage: Usage };

/** A failed attempt that is made again after `waitMs` milliseconds. */
export interface ModelRetry {
  /** 1 for the first repetition. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly reason: string;
  readonly status?: number | undefined;
}

/** What a model's call runs in. */
export interface ModelCallContext {
  /** Aborted by an interrupt: the stream then ends at once, by a return or by a throw, and the connection is closed. */
  readonly signal: AbortSignal;
  onRetry(retry: ModelRetry): void;
}

/**
 * A model that participants speak through. `stream` throws a GavelError of code `ModelError` when the endpoint fails for
 * good. It keeps no state between calls.
 */
export interface Model {
  /** What the user knows it by, such as `gpt-5 at api.example.com`. */
  readonly label: string;
  stream(request: ModelRequest, context: ModelCallContext): AsyncIterable<ModelPart>;
}
