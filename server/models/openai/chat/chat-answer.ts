import type { Usage } from "../../../../shared/contract/message.ts";
import type { ModelPart } from "../../../engine/model.ts";
import type { Price } from "../../price.ts";
import { AnswerText } from "../answer/answer-text.ts";
import { usageOf } from "../answer/usage.ts";
import type { AnswerOptions, StreamEnd, StreamedAnswer } from "../api.ts";
import { noEvents, noPart, reportedIn, StreamFault } from "../failures/failure.ts";
import { textOf } from "../fields.ts";
import { ToolCalls } from "./tool-calls.ts";

/**
 * What is read of a chunk. It is the endpoint's word, so every leaf is looked at before it is used; a schema would cost
 * more for each chunk than all else that is done with it.
 */
interface WireChunk {
  readonly choices?: readonly (WireChoice | null)[] | null;
  readonly usage?: unknown;
}

interface WireChoice {
  readonly delta?: WireDelta | null;
  /** Where an endpoint sends the whole answer in one piece. */
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

/** One answer of Chat Completions as it comes in. */
export class ChatAnswer implements StreamedAnswer {
  readonly #text: AnswerText;
  readonly #price: Price | undefined;
  readonly #calls = new ToolCalls();
  #finish: string | undefined;
  #usage: Usage | undefined;
  #hasChunks = false;

  constructor({ hasTags, price }: AnswerOptions) {
    this.#text = new AnswerText(hasTags);
    this.#price = price;
  }

  get begun(): boolean {
    return this.#text.begun;
  }

  take(event: unknown): ModelPart | undefined {
    this.#hasChunks = true;
    if (!isChunk(event)) throw noPart();
    const delta = this.#read(event);
    return delta === undefined ? undefined : this.#text.take(thoughtIn(delta), saidIn(delta));
  }

  more(): ModelPart | undefined {
    return this.#text.more();
  }

  rest(end: StreamEnd): readonly ModelPart[] {
    if (!this.#hasChunks) throw noEvents(end);
    const text = this.#text.rest();
    const calls = this.#calls.all();
    const isEmpty = !this.begun && calls.length === 0;
    // Not every endpoint says why it stopped; one that answered and says that it is done was not cut off.
    if (this.#finish === undefined && (isEmpty || !end.isDone)) throw new StreamFault({ kind: "cutOff" });
    if (this.#finish === "error") throw new StreamFault({ kind: "reported", text: "" });
    if (this.#finish === "content_filter" && isEmpty) throw new StreamFault({ kind: "withheld" });
    return [
      ...text,
      ...(calls.length === 0 ? [] : [{ type: "calls" as const, calls }]),
      ...(this.#usage === undefined ? [] : [{ type: "usage" as const, usage: this.#usage }]),
    ];
  }

  #read(chunk: WireChunk): WireDelta | undefined {
    if (chunk.usage) this.#usage = usageOf(chunk.usage, this.#price) ?? this.#usage;
    const reported = reportedIn(chunk);
    if (reported !== undefined) throw new StreamFault(reported);
    const choice = chunk.choices?.[0];
    if (!choice) return undefined;
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") this.#finish = choice.finish_reason;
    const delta = choice.delta ?? choice.message ?? undefined;
    if (delta?.tool_calls) this.#calls.add(delta.tool_calls);
    return delta;
  }
}

const isChunk = (event: unknown): event is WireChunk => typeof event === "object" && event !== null;

/** What a delta says, an empty string when it says nothing. A refusal is said too. */
const saidIn = (delta: WireDelta): string => textOf(delta.content) || textOf(delta.refusal);

/** What a delta tells of the model's reasoning, under either of the names that endpoints give it. */
const thoughtIn = (delta: WireDelta): string => textOf(delta.reasoning_content) || textOf(delta.reasoning);
