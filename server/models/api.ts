import type { ModelPart, ModelRequest } from "../engine/model.ts";
import type { AnswerLimits } from "./endpoint/answer-limits.ts";
import type { Endpoint } from "./endpoint/endpoint.ts";
import type { Key } from "./endpoint/key.ts";
import type { Send } from "./network/network.ts";
import type { Price } from "./price.ts";

/** What is sent to an endpoint, without the options that it has refused. */
export interface EndpointRequest {
  readonly request: ModelRequest;
  /** Whether to ask for the usage of a stream; only Chat Completions has to be asked. */
  readonly includeUsage: boolean;
}

/** How an answer is read. */
export interface AnswerOptions {
  /** Whether the text may start with thoughts between `<think>` tags. */
  readonly hasThinkTags: boolean;
  readonly price: Price | undefined;
}

/** One attempt to get an answer. */
interface Attempt extends EndpointRequest {
  readonly key: Key;
  /** Closes the connection when it is aborted. */
  readonly signal: AbortSignal;
}

/** An answer that has begun. */
interface OpenAnswer {
  /** Its events, in batches as they arrive. Reading one may throw, as reading the body may. */
  readonly events: AsyncIterable<Iterable<unknown>>;
  /** How it ended, once its events have been read. */
  end(): StreamEnd;
}

/** How a stream ended. */
export interface StreamEnd {
  readonly contentType: string | undefined;
  /** Whether the endpoint sent `[DONE]`. */
  readonly isDone: boolean;
}

/** Reads one answer as it streams. */
export interface AnswerReader {
  /** Whether any part has been passed on; then the request cannot be retried. */
  readonly hasStarted: boolean;
  /** Grows with every part of the answer that arrives, also with those that are not passed on yet. */
  readonly size: number;
  /**
   * Reads an event; returns its first part, `nextPart` returns the others.
   * @throws StreamError for a malformed event or a reported error.
   */
  read(event: unknown): ModelPart | undefined;
  /** The next part of the event that was read last, or undefined when there is none. */
  nextPart(): ModelPart | undefined;
  /**
   * The parts that come after the stream: remaining text, then calls, then usage.
   * @throws StreamError for an incomplete answer.
   */
  finish(end: StreamEnd): readonly ModelPart[];
}

/** Where an API's requests go, and how. */
export interface ApiRoute {
  readonly endpoint: Endpoint;
  readonly limits: AnswerLimits;
  /** Directly if left out. */
  readonly send: Send | undefined;
}

/** An API of model endpoints: how a request is sent and how its answer is read. */
export interface Api {
  /** @throws StreamError when there is no answer, or one that is not a success. */
  open(attempt: Attempt): Promise<OpenAnswer>;
  answer(): AnswerReader;
}
