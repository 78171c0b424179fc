import type { ModelCall } from "../../../engine/model.ts";
import type { AnswerSize } from "../../answer/answer-size.ts";
import { argumentsJson, stringOrEmpty } from "../../fields.ts";

/** A piece of a tool call as endpoints send it; its fields may have any type. */
interface CallDelta {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

interface OpenCall {
  readonly index: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
}

/**
 * Assembles the tool calls of an answer from their pieces. OpenAI names a call once and continues it by `index`; other
 * endpoints omit the index or the id, send each call in one piece, or give every call the index 0.
 */
export class ToolCalls {
  readonly #calls: OpenCall[] = [];
  readonly #size: AnswerSize;

  constructor(size: AnswerSize) {
    this.#size = size;
  }

  /** Adds the `tool_calls` of one chunk. @throws StreamError when the answer is too large. */
  add(deltas: unknown): void {
    if (!Array.isArray(deltas)) return;
    for (const delta of deltas) if (isCallDelta(delta)) this.#addOne(delta);
  }

  /** Every call in order. Missing arguments become an empty object. */
  all(): ModelCall[] {
    return this.#calls.map(({ id, name, arguments: text }) => ({
      ...(id === undefined ? {} : { id }),
      name,
      arguments: text.trim() === "" ? "{}" : text,
    }));
  }

  #addOne(delta: CallDelta): void {
    const id = stringOrEmpty(delta.id) || undefined;
    const name = stringOrEmpty(delta.function?.name);
    const index = typeof delta.index === "number" ? delta.index : undefined;
    const text = argumentsJson(delta.function?.arguments);
    this.#size.add(id ?? "", name, text);
    const call = this.#callContinuedBy(index, id, name) ?? this.#startCall(index);
    call.id ??= id;
    if (call.name === "") call.name = name;
    call.arguments += text;
  }

  /**
   * The call that a piece continues. A piece with a name starts a new call when its id differs or the last call is
   * complete.
   */
  #callContinuedBy(index: number | undefined, id: string | undefined, name: string): OpenCall | undefined {
    const last =
      index === undefined
        ? (this.#calls.findLast((call) => id !== undefined && call.id === id) ?? this.#calls.at(-1))
        : this.#calls.findLast((call) => call.index === index);
    if (last === undefined || name === "") return last;
    const isOther =
      id === undefined ? index === undefined || isComplete(last) : last.id !== undefined && last.id !== id;
    return isOther ? undefined : last;
  }

  #startCall(index: number | undefined): OpenCall {
    this.#size.addCall();
    const call: OpenCall = { index, id: undefined, name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }
}

/** Whether a call has its name and complete arguments. */
function isComplete(call: OpenCall): boolean {
  if (call.name === "") return false;
  try {
    JSON.parse(call.arguments);
    return true;
  } catch {
    return false;
  }
}

const isCallDelta = (value: unknown): value is CallDelta => typeof value === "object" && value !== null;
