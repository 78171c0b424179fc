import type { Usage } from "../../../../shared/contract/message.ts";
import type { ModelPart } from "../../../engine/model.ts";
import { AnswerSize } from "../../answer/answer-size.ts";
import { AnswerText } from "../../answer/answer-text.ts";
import { reportedUsage } from "../../answer/usage.ts";
import type { AnswerOptions, AnswerReader, StreamEnd } from "../../api.ts";
import { emptyStreamError, malformedEventError, reportedFailureIn, StreamError } from "../../failures/failure.ts";
import { stringOrEmpty } from "../../fields.ts";
import type { Price } from "../../price.ts";
import { ToolCalls } from "./tool-calls.ts";

/**
 * The fields of a chunk that are read. Every leaf is checked where it is used: validating each chunk with a schema
 * would cost more than everything else that is done with it.
 */
interface WireChunk {
  readonly choices?: readonly (WireChoice | null)[] | null;
  readonly usage?: unknown;
}

interface WireChoice {
  readonly delta?: WireDelta | null;
  /** For endpoints that send the whole answer in one piece. */
  readonly message?: WireDelta | null;
  readonly finish_reason?: unknown;
}

interface WireDelta {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_content?: unknown;
  readonly tool_calls?: unknown;
}

/** Reads an answer of Chat Completions. */
export class ChatAnswer implements AnswerReader {
  readonly #text: AnswerText;
  readonly #price: Price | undefined;
  readonly #size = new AnswerSize();
  readonly #calls = new ToolCalls(this.#size);
  #finish: string | undefined;
  #usage: Usage | undefined;
  #hasChunks = false;

  constructor({ hasThinkTags, price }: AnswerOptions) {
    this.#text = new AnswerText(hasThinkTags);
    this.#price = price;
  }

  get hasStarted(): boolean {
    return this.#text.hasStarted;
  }

  get size(): number {
    return this.#size.total;
  }

  read(event: unknown): ModelPart | undefined {
    this.#hasChunks = true;
    if (!isChunk(event)) throw malformedEventError();
    const delta = this.#read(event);
    if (delta === undefined) return undefined;
    const thought = thoughtIn(delta);
    const text = textIn(delta);
    this.#size.add(thought, text);
    return this.#text.add(thought, text);
  }

  nextPart(): ModelPart | undefined {
    return this.#text.nextPart();
  }

  finish(end: StreamEnd): readonly ModelPart[] {
    if (!this.#hasChunks) throw emptyStreamError(end);
    const text = this.#text.finish();
    const calls = this.#calls.all();
    const isEmpty = !this.hasStarted && calls.length === 0;
    // Not every endpoint sends a finish reason; an answer that ended with [DONE] was not cut off.
    if (this.#finish === undefined && (isEmpty || !end.isDone)) throw new StreamError({ kind: "cutOff" });
    if (this.#finish === "error") throw new StreamError({ kind: "reported", text: "" });
    if (this.#finish === "content_filter" && isEmpty) throw new StreamError({ kind: "withheld" });
    return [
      ...text,
      ...(calls.length === 0 ? [] : [{ type: "calls" as const, calls }]),
      ...(this.#usage === undefined ? [] : [{ type: "usage" as const, usage: this.#usage }]),
    ];
  }

  #read(chunk: WireChunk): WireDelta | undefined {
    if (chunk.usage) this.#usage = reportedUsage(chunk.usage, this.#price) ?? this.#usage;
    const reported = reportedFailureIn(chunk);
    if (reported !== undefined) throw new StreamError(reported);
    const choice = chunk.choices?.[0];
    if (!choice) return undefined;
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") this.#finish = choice.finish_reason;
    const delta = choice.delta ?? choice.message ?? undefined;
    if (delta?.tool_calls) this.#calls.add(delta.tool_calls);
    return delta;
  }
}

const isChunk = (event: unknown): event is WireChunk => typeof event === "object" && event !== null;

/** The text of a delta, which may be a refusal; empty when it has none. */
const textIn = (delta: WireDelta): string => stringOrEmpty(delta.content) || stringOrEmpty(delta.refusal);

/** The reasoning in a delta, under either of the names that endpoints use. */
const thoughtIn = (delta: WireDelta): string =>
  stringOrEmpty(delta.reasoning_content) || stringOrEmpty(delta.reasoning);
