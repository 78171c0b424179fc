import { isRecord } from "../../../../shared/json-record.ts";
import type { ModelCall, ModelPart } from "../../../engine/model.ts";
import type { Price } from "../../price.ts";
import { AnswerText } from "../answer/answer-text.ts";
import { usageOf } from "../answer/usage.ts";
import type { AnswerOptions, StreamEnd, StreamedAnswer } from "../api.ts";
import { noEvents, noPart, reported, reportedIn, StreamFault } from "../failures/failure.ts";
import { argumentsOf, textOf } from "../fields.ts";

type Fields = Readonly<Record<string, unknown>>;

/** One answer of the Responses API as it comes in. Events that are not named here tell nothing that others do not. */
export class ResponsesAnswer implements StreamedAnswer {
  readonly #text: AnswerText;
  readonly #price: Price | undefined;
  readonly #calls: ModelCall[] = [];
  #ended: Fields | undefined;
  #hasEvents = false;
  #thoughtSoFar = false;
  #isNewParagraph = false;

  constructor({ hasTags, price }: AnswerOptions) {
    this.#text = new AnswerText(hasTags);
    this.#price = price;
  }

  get begun(): boolean {
    return this.#text.begun;
  }

  take(event: unknown): ModelPart | undefined {
    this.#hasEvents = true;
    if (!isRecord(event)) throw noPart();
    switch (event["type"]) {
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.#text.take("", textOf(event["delta"]));
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return this.#think(textOf(event["delta"]));
      case "response.reasoning_summary_part.added":
        this.#isNewParagraph = this.#thoughtSoFar;
        return undefined;
      case "response.output_item.done":
        this.#keepCall(event["item"]);
        return undefined;
      default:
        this.#takeState(event);
        return undefined;
    }
  }

  more(): ModelPart | undefined {
    return this.#text.more();
  }

  rest(end: StreamEnd): readonly ModelPart[] {
    if (!this.#hasEvents) throw noEvents(end);
    if (this.#ended === undefined) throw new StreamFault({ kind: "cutOff" });
    const text = this.#text.rest();
    if (!this.begun && this.#calls.length === 0 && wasWithheld(this.#ended))
      throw new StreamFault({ kind: "withheld" });
    const usage = usageOf(this.#ended["usage"], this.#price);
    return [
      ...text,
      ...(this.#calls.length === 0 ? [] : [{ type: "calls" as const, calls: this.#calls }]),
      ...(usage === undefined ? [] : [{ type: "usage" as const, usage }]),
    ];
  }

  /** The parts of a summary are paragraphs of their own. */
  #think(delta: string): ModelPart | undefined {
    if (delta === "") return undefined;
    const thought = this.#isNewParagraph ? `\n\n${delta}` : delta;
    this.#isNewParagraph = false;
    this.#thoughtSoFar = true;
    return this.#text.take(thought, "");
  }

  #keepCall(item: unknown): void {
    if (!isRecord(item) || item["type"] !== "function_call") return;
    const id = textOf(item["call_id"]);
    this.#calls.push({
      ...(id === "" ? {} : { id }),
      name: textOf(item["name"]),
      arguments: argumentsOf(item["arguments"]).trim() || "{}",
    });
  }

  /** @throws StreamFault for an error, told as one or as the end of the answer. */
  #takeState(event: Fields): void {
    const { type } = event;
    const response = isRecord(event["response"]) ? event["response"] : {};
    if (type === "response.completed" || type === "response.incomplete") this.#ended = response;
    if (type === "response.failed") throw new StreamFault(reported(response["error"]));
    const fault = reportedIn(event) ?? (type === "error" ? reported(event) : undefined);
    if (fault !== undefined) throw new StreamFault(fault);
  }
}

function wasWithheld({ incomplete_details: details }: Fields): boolean {
  return isRecord(details) && details["reason"] === "content_filter";
}
