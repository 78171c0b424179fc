import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import type { ModelPart } from "../../engine/model.ts";
import { AnswerSize } from "../answer/answer-size.ts";
import { AnswerText } from "../answer/answer-text.ts";
import type { AnswerReader, StreamEnd } from "../api.ts";
import { emptyStreamError, malformedEventError, reportedFailure, StreamError } from "../failures/failure.ts";
import { argumentsJson, stringOrEmpty } from "../fields.ts";
import type { Price } from "../price.ts";
import { AnthropicUsage } from "./anthropic-usage.ts";
import { SignedThoughts, type ThoughtBlock } from "./signed-thoughts.ts";

/** A block of the answer that is still growing. */
type OpenBlock =
  | { readonly type: "text" }
  | { readonly type: "thinking"; thinking: string; signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | CallBlock;

interface CallBlock {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  /** Of an endpoint that sends the whole input at once. */
  readonly input: string;
  json: string;
  readonly signedThoughts: string | undefined;
}

/** Reads an answer of Anthropic's Messages API ("Streaming messages"). Events that are not handled here carry nothing. */
export class AnthropicAnswer implements AnswerReader {
  readonly #text = new AnswerText(false);
  readonly #size = new AnswerSize();
  readonly #usage: AnthropicUsage;
  readonly #thoughts: SignedThoughts;
  /** By their indexes, which an endpoint may use again. */
  readonly #blocks = new Map<unknown, OpenBlock>();
  readonly #calls: CallBlock[] = [];
  #hasEvents = false;
  #hasThoughts = false;
  #hasEnded = false;
  #stopReason = "";
  /** Whether the next thought belongs to another block than the last one. */
  #isNewThought = false;

  /** @param model as it is sent: what it has signed is of use to it alone. */
  constructor(model: string, price: Price | undefined) {
    this.#usage = new AnthropicUsage(price);
    this.#thoughts = new SignedThoughts(model);
  }

  get hasStarted(): boolean {
    return this.#text.hasStarted;
  }

  get size(): number {
    return this.#size.total;
  }

  read(event: unknown): ModelPart | undefined {
    this.#hasEvents = true;
    if (!isRecord(event)) throw malformedEventError();
    switch (event["type"]) {
      case "message_start":
        this.#usage.add(recordIn(event["message"])["usage"]);
        return undefined;
      case "content_block_start":
        return this.#start(event["index"], recordIn(event["content_block"]));
      case "content_block_delta":
        return this.#continue(event["index"], recordIn(event["delta"]));
      case "content_block_stop":
        this.#stop(event["index"]);
        return undefined;
      case "message_delta":
        this.#stopReason = stringOrEmpty(recordIn(event["delta"])["stop_reason"]) || this.#stopReason;
        this.#usage.add(event["usage"]);
        return undefined;
      case "message_stop":
        this.#hasEnded = true;
        return undefined;
      // The SDK knows it by the event's name alone.
      case "error":
        throw new StreamError(reportedFailure(event["error"]));
      default:
        return undefined;
    }
  }

  nextPart(): ModelPart | undefined {
    return this.#text.nextPart();
  }

  finish(end: StreamEnd): readonly ModelPart[] {
    if (!this.#hasEvents) throw emptyStreamError(end);
    if (!this.#hasEnded) throw new StreamError({ kind: "cutOff" });
    if (this.#stopReason === "refusal") throw new StreamError({ kind: "withheld" });
    if (this.#stopReason === "max_tokens") throw new StreamError({ kind: "outOfTokens", limit: "maxTokens" });
    if (this.#stopReason === "model_context_window_exceeded")
      throw new StreamError({ kind: "outOfTokens", limit: "contextWindow" });
    const calls = this.#calls.map(({ id, name, input, json, signedThoughts }) => {
      const call = { name, arguments: json.trim() || input || "{}" };
      return { ...(id === "" ? {} : { id }), ...call, ...(signedThoughts === undefined ? {} : { signedThoughts }) };
    });
    const usage = this.#usage.total;
    return [
      ...(calls.length === 0 ? [] : [{ type: "calls" as const, calls }]),
      ...(usage === undefined ? [] : [{ type: "usage" as const, usage }]),
    ];
  }

  #start(index: unknown, block: JsonRecord): ModelPart | undefined {
    const text = stringOrEmpty(block["text"]);
    switch (block["type"]) {
      case "text":
        this.#blocks.set(index, { type: "text" });
        return this.#write(text);
      case "thinking":
        this.#isNewThought = this.#hasThoughts;
        this.#blocks.set(index, { type: "thinking", thinking: "", signature: stringOrEmpty(block["signature"]) });
        return this.#continue(index, { type: "thinking_delta", thinking: block["thinking"] });
      case "redacted_thinking": {
        const data = stringOrEmpty(block["data"]);
        this.#size.add(data);
        this.#blocks.set(index, { type: "redacted_thinking", data });
        return undefined;
      }
      case "tool_use":
        this.#startCall(index, block);
        return undefined;
      default:
        return undefined;
    }
  }

  #startCall(index: unknown, block: JsonRecord): void {
    const id = stringOrEmpty(block["id"]);
    const name = stringOrEmpty(block["name"]);
    const input = argumentsJson(block["input"]);
    this.#size.addCall();
    this.#size.add(id, name, input);
    const call: CallBlock = { type: "tool_use", id, name, input, json: "", signedThoughts: this.#thoughts.take() };
    this.#calls.push(call);
    this.#blocks.set(index, call);
  }

  #continue(index: unknown, delta: JsonRecord): ModelPart | undefined {
    const block = this.#blocks.get(index);
    switch (delta["type"]) {
      case "text_delta":
        return this.#write(stringOrEmpty(delta["text"]));
      case "thinking_delta": {
        const thinking = stringOrEmpty(delta["thinking"]);
        if (block?.type === "thinking") block.thinking += thinking;
        return this.#think(thinking);
      }
      case "signature_delta":
        this.#size.add(stringOrEmpty(delta["signature"]));
        if (block?.type === "thinking") block.signature += stringOrEmpty(delta["signature"]);
        return undefined;
      case "input_json_delta":
        this.#size.add(stringOrEmpty(delta["partial_json"]));
        if (block?.type === "tool_use") block.json += stringOrEmpty(delta["partial_json"]);
        return undefined;
      default:
        return undefined;
    }
  }

  /** Only what is complete is signed. */
  #stop(index: unknown): void {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    const thought = block === undefined ? undefined : thoughtIn(block);
    if (thought !== undefined) this.#thoughts.add(thought);
  }

  #write(text: string): ModelPart | undefined {
    if (text !== "") this.#thoughts.textCame();
    this.#size.add(text);
    return this.#text.add("", text);
  }

  /** Each block of thoughts starts a new paragraph. */
  #think(delta: string): ModelPart | undefined {
    if (delta === "") return undefined;
    const thought = this.#isNewThought ? `\n\n${delta}` : delta;
    this.#isNewThought = false;
    this.#hasThoughts = true;
    this.#size.add(thought);
    return this.#text.add(thought, "");
  }
}

function thoughtIn(block: OpenBlock): ThoughtBlock | undefined {
  if (block.type === "redacted_thinking") return block.data === "" ? undefined : { type: block.type, data: block.data };
  if (block.type !== "thinking" || block.signature === "") return undefined;
  return { type: block.type, thinking: block.thinking, signature: block.signature };
}

const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
