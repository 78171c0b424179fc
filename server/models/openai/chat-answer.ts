import type { Usage } from "../../../shared/contract/message.ts";
import type { ModelPart } from "../../engine/model.ts";
import { StreamFault } from "./fault.ts";
import { ToolCalls } from "./tool-calls.ts";

/**
 * What is read of a chunk. It is the endpoint's word, so every leaf is looked at before it is used; a schema would cost
 * more for each chunk than all else that is done with it.
 */
export interface WireChunk {
  readonly choices?: readonly (WireChoice | null)[] | null;
  readonly usage?: unknown;
  /** vLLM marks an error so, and puts its text beside it. */
  readonly object?: unknown;
  readonly message?: unknown;
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

/** One answer as it comes in: what is told of it at once, what is left to tell when its stream ends, and whether it ended as it should. */
export class ChatAnswer {
  readonly #calls = new ToolCalls();
  #finish: string | undefined;
  #usage: Usage | undefined;
  #chunks = 0;
  #held: ModelPart | undefined;
  #begun = false;

  /** Whether anything of the answer has been told: then it can not be asked for again. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Takes a chunk; returns the first thing to tell of it, after which `more` is asked. @throws StreamFault for what is no chunk. */
  take(chunk: WireChunk | null): ModelPart | undefined {
    this.#chunks += 1;
    const delta = this.#read(chunk);
    if (delta === undefined) return undefined;
    const said = saidIn(delta);
    const thought = thoughtIn(delta);
    if (said === "" && thought === "") return undefined;
    this.#begun = true;
    if (thought === "") return { type: "text", delta: said };
    if (said !== "") this.#held = { type: "text", delta: said };
    return { type: "thought", delta: thought };
  }

  /** What else there is to tell of the chunk taken last. */
  more(): ModelPart | undefined {
    const held = this.#held;
    this.#held = undefined;
    return held;
  }

  /**
   * The parts that come when the stream has ended: the calls, then the usage.
   *
   * @throws StreamFault when the stream ended before the answer did.
   */
  rest(contentType: string | null): ModelPart[] {
    if (this.#chunks === 0) throw new StreamFault({ kind: "rubbish", what: kindOf(contentType) });
    if (this.#finish === undefined) throw new StreamFault({ kind: "cutOff" });
    const calls = this.#calls.all();
    if (this.#finish === "error") throw new StreamFault({ kind: "reported", text: "" });
    if (this.#finish === "content_filter" && !this.#begun && calls.length === 0)
      throw new StreamFault({ kind: "withheld" });
    return [
      ...(calls.length === 0 ? [] : [{ type: "calls" as const, calls }]),
      ...(this.#usage === undefined ? [] : [{ type: "usage" as const, usage: this.#usage }]),
    ];
  }

  #read(chunk: WireChunk | null): WireDelta | undefined {
    if (chunk === null || typeof chunk !== "object") {
      throw new StreamFault({ kind: "rubbish", what: "an event that is no part of an answer" });
    }
    if (chunk.usage) this.#usage = usageOf(chunk.usage) ?? this.#usage;
    const choice = chunk.choices?.[0];
    if (!choice) {
      if (chunk.object === "error") throw new StreamFault({ kind: "reported", text: String(chunk.message ?? "") });
      return undefined;
    }
    if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") this.#finish = choice.finish_reason;
    const delta = choice.delta ?? choice.message ?? undefined;
    if (delta?.tool_calls) this.#calls.add(delta.tool_calls);
    return delta;
  }
}

/** What a delta says, an empty string when it says nothing. A refusal is said too. */
function saidIn(delta: WireDelta): string {
  if (typeof delta.content === "string") return delta.content;
  return typeof delta.refusal === "string" ? delta.refusal : "";
}

/** What a delta tells of the model's reasoning, under either of the names that endpoints give it. */
function thoughtIn(delta: WireDelta): string {
  if (typeof delta.reasoning_content === "string") return delta.reasoning_content;
  return typeof delta.reasoning === "string" ? delta.reasoning : "";
}

/** The header is the endpoint's own text: only what is known is repeated. */
function kindOf(contentType: string | null): string {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "text/html") return "a web page instead of an answer";
  if (type === "application/json") return "JSON instead of a stream of events";
  return type === "text/event-stream" ? "an empty stream" : "something that is not a stream of events";
}

function usageOf(usage: unknown): Usage | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const prompt = "prompt_tokens" in usage ? count(usage.prompt_tokens) : 0;
  const completion = "completion_tokens" in usage ? count(usage.completion_tokens) : 0;
  const total = "total_tokens" in usage ? count(usage.total_tokens) : 0;
  return { prompt, completion, total: total === 0 ? prompt + completion : total };
}

const count = (value: unknown): number => (typeof value === "number" && value > 0 ? value : 0);
