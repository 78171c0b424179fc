import type { ModelPart, ModelRequest } from "../../engine/model.ts";
import type { Price } from "../price.ts";

/** What an endpoint is asked, and what it has turned out not to take. */
export interface Question {
  readonly request: ModelRequest;
  /** Whether it is asked to count the tokens of a stream; only Chat Completions has to be. */
  readonly asksUsage: boolean;
}

/** How an answer is read. */
export interface AnswerOptions {
  /** Whether its text may begin with thoughts between `<think>` tags. */
  readonly hasTags: boolean;
  readonly price: Price | undefined;
}

/** How a stream ended. */
export interface StreamEnd {
  readonly contentType: string | null;
  /** The endpoint said that nothing more comes (`[DONE]`). */
  readonly isDone: boolean;
}

/** One answer as it comes in: what is told of it at once, and what is left to tell when its stream has ended. */
export interface StreamedAnswer {
  /** Whether anything of the answer has been told: then it can not be asked for again. */
  readonly begun: boolean;
  /** Takes an event; returns the first thing to tell of it, after which `more` is asked. @throws StreamFault for what is none. */
  take(event: unknown): ModelPart | undefined;
  /** What else there is to tell of the event taken last. */
  more(): ModelPart | undefined;
  /** The parts that come when the stream has ended: the calls, then the usage. @throws StreamFault when the answer has not. */
  rest(end: StreamEnd): readonly ModelPart[];
}

/** One of the APIs that a model can be asked through. */
export interface Api {
  /** Below the endpoint's base URL. */
  readonly path: string;
  body(question: Question): object;
  answer(): StreamedAnswer;
}
