import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import type { ModelCall, ModelPart } from "../../engine/model.ts";
import { AnswerSize } from "../answer/answer-size.ts";
import { AnswerText } from "../answer/answer-text.ts";
import type { AnswerReader, StreamEnd } from "../api.ts";
import { emptyStreamError, malformedEventError, StreamError } from "../failures/failure.ts";
import { argumentsJson, stringOrEmpty } from "../fields.ts";
import type { Price } from "../price.ts";
import { geminiUsage } from "./gemini-usage.ts";
import { signedBy } from "./thought-signature.ts";

/** The reasons for which an answer, or its rest, is withheld ("Generate content", FinishReason). */
const WITHHELD: ReadonlySet<string> = new Set([
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
]);

/** Those for which the model's tool calls could not be read. */
const MALFORMED: ReadonlySet<string> = new Set([
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
]);

/** Reads an answer of the Gemini API: chunks, each with parts of one candidate. */
export class GeminiAnswer implements AnswerReader {
  readonly #text = new AnswerText(false);
  readonly #size = new AnswerSize();
  readonly #model: string;
  readonly #price: Price | undefined;
  readonly #calls: ModelCall[] = [];
  #usage: unknown;
  #finishReason = "";
  #isBlocked = false;
  #hasEvents = false;

  /** @param model as it is sent: what it has signed is of use to it alone. */
  constructor(model: string, price: Price | undefined) {
    this.#model = model;
    this.#price = price;
  }

  get hasStarted(): boolean {
    return this.#text.hasStarted;
  }

  get size(): number {
    return this.#size.total;
  }

  read(chunk: unknown): ModelPart | undefined {
    this.#hasEvents = true;
    if (!isRecord(chunk)) throw malformedEventError();
    this.#usage = chunk["usageMetadata"] ?? this.#usage;
    if (stringOrEmpty(recordIn(chunk["promptFeedback"])["blockReason"]) !== "") this.#isBlocked = true;
    const [candidate] = listIn(chunk["candidates"]).map(recordIn);
    if (candidate === undefined) return undefined;
    this.#finishReason = stringOrEmpty(candidate["finishReason"]) || this.#finishReason;
    let thought = "";
    let text = "";
    for (const part of listIn(recordIn(candidate["content"])["parts"]).map(recordIn)) {
      const written = stringOrEmpty(part["text"]);
      if (part["thought"] === true) thought += written;
      else text += written;
      if (isRecord(part["functionCall"])) this.#addCall(part["functionCall"], stringOrEmpty(part["thoughtSignature"]));
    }
    this.#size.add(thought, text);
    return this.#text.add(thought, text);
  }

  nextPart(): ModelPart | undefined {
    return this.#text.nextPart();
  }

  finish(end: StreamEnd): readonly ModelPart[] {
    if (!this.#hasEvents) throw emptyStreamError(end);
    if (this.#isBlocked || WITHHELD.has(this.#finishReason)) throw new StreamError({ kind: "withheld" });
    if (this.#finishReason === "" || this.#finishReason === "CONTINUATION") throw new StreamError({ kind: "cutOff" });
    if (this.#finishReason === "MAX_TOKENS") throw new StreamError({ kind: "outOfTokens", limit: "maxTokens" });
    if (MALFORMED.has(this.#finishReason))
      throw new StreamError({ kind: "malformed", what: "tool calls that the model had not written correctly" });
    const usage = geminiUsage(this.#usage, this.#price);
    return [
      ...(this.#calls.length === 0 ? [] : [{ type: "calls" as const, calls: this.#calls }]),
      ...(usage === undefined ? [] : [{ type: "usage" as const, usage }]),
    ];
  }

  #addCall(call: JsonRecord, signature: string): void {
    const id = stringOrEmpty(call["id"]);
    const name = stringOrEmpty(call["name"]);
    const text = argumentsJson(call["args"]) || "{}";
    this.#size.addCall();
    this.#size.add(id, name, text, signature);
    this.#calls.push({
      ...(id === "" ? {} : { id }),
      name,
      arguments: text,
      signedThoughts: signedBy(this.#model, signature),
    });
  }
}

const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
