import { isRecord } from "../../../../shared/json-record.ts";
import type { ModelCall, ModelPart } from "../../../engine/model.ts";
import { AnswerSize } from "../../answer/answer-size.ts";
import { AnswerText } from "../../answer/answer-text.ts";
import { reportedUsage } from "../../answer/usage.ts";
import type { AnswerOptions, AnswerReader, StreamEnd } from "../../api.ts";
import {
  emptyStreamError,
  malformedEventError,
  reportedFailure,
  reportedFailureIn,
  StreamError,
} from "../../failures/failure.ts";
import { argumentsJson, stringOrEmpty } from "../../fields.ts";
import type { Price } from "../../price.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Reads an answer of the Responses API. Events that are not handled here only repeat what others contain. */
export class ResponsesAnswer implements AnswerReader {
  readonly #text: AnswerText;
  readonly #price: Price | undefined;
  readonly #size = new AnswerSize();
  readonly #calls: ModelCall[] = [];
  /** Characters of deltas that are not read: their item comes whole when it is done. */
  #unread = 0;
  #ended: Fields | undefined;
  #hasEvents = false;
  #hasThoughts = false;
  #isNewParagraph = false;

  constructor({ hasThinkTags, price }: AnswerOptions) {
    this.#text = new AnswerText(hasThinkTags);
    this.#price = price;
  }

  get hasStarted(): boolean {
    return this.#text.hasStarted;
  }

  get size(): number {
    return this.#size.total + this.#unread;
  }

  read(event: unknown): ModelPart | undefined {
    this.#hasEvents = true;
    if (!isRecord(event)) throw malformedEventError();
    switch (event["type"]) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.#write(stringOrEmpty(event["delta"]));
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#think(stringOrEmpty(event["delta"]));
      case "response.reasoning_summary_part.added":
        this.#isNewParagraph = this.#hasThoughts;
        return undefined;
      case "response.output_item.done":
        this.#addCall(event["item"]);
        return undefined;
      default:
        this.#unread += stringOrEmpty(event["delta"]).length;
        this.#readState(event);
        return undefined;
    }
  }

  nextPart(): ModelPart | undefined {
    return this.#text.nextPart();
  }

  finish(end: StreamEnd): readonly ModelPart[] {
    if (!this.#hasEvents) throw emptyStreamError(end);
    if (this.#ended === undefined) throw new StreamError({ kind: "cutOff" });
    const text = this.#text.finish();
    if (!this.hasStarted && this.#calls.length === 0 && wasWithheld(this.#ended))
      throw new StreamError({ kind: "withheld" });
    const usage = reportedUsage(this.#ended["usage"], this.#price);
    return [
      ...text,
      ...(this.#calls.length === 0 ? [] : [{ type: "calls" as const, calls: this.#calls }]),
      ...(usage === undefined ? [] : [{ type: "usage" as const, usage }]),
    ];
  }

  #write(text: string): ModelPart | undefined {
    this.#size.add(text);
    return this.#text.add("", text);
  }

  /** Each part of a reasoning summary starts a new paragraph. */
  #think(delta: string): ModelPart | undefined {
    if (delta === "") return undefined;
    const thought = this.#isNewParagraph ? `\n\n${delta}` : delta;
    this.#isNewParagraph = false;
    this.#hasThoughts = true;
    this.#size.add(thought);
    return this.#text.add(thought, "");
  }

  #addCall(item: unknown): void {
    if (!isRecord(item) || item["type"] !== "function_call") return;
    const id = stringOrEmpty(item["call_id"]);
    const name = stringOrEmpty(item["name"]);
    const text = argumentsJson(item["arguments"]).trim() || "{}";
    this.#size.addCall();
    this.#size.add(id, name, text);
    this.#calls.push({ ...(id === "" ? {} : { id }), name, arguments: text });
  }

  /** @throws StreamError for an error event or a failed answer. */
  #readState(event: Fields): void {
    const { type } = event;
    const response = isRecord(event["response"]) ? event["response"] : {};
    if (type === "response.completed" || type === "response.incomplete") this.#ended = response;
    if (type === "response.failed") throw new StreamError(reportedFailure(response["error"]));
    const failure = reportedFailureIn(event) ?? (type === "error" ? reportedFailure(event) : undefined);
    if (failure !== undefined) throw new StreamError(failure);
  }
}

function wasWithheld({ incomplete_details: details }: Fields): boolean {
  return isRecord(details) && details["reason"] === "content_filter";
}
