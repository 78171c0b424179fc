import type { ModelCall } from "../../../engine/model.ts";
import { argumentsOf, textOf } from "../fields.ts";

/** A piece of a tool call as endpoints send it, each of its fields whatever they like. */
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
 * Puts the tool calls of an answer together. OpenAI names a call once and goes on by its `index`; others leave out the
 * index or the id, send each call in one piece, or give every call the index 0.
 */
export class ToolCalls {
  readonly #calls: OpenCall[] = [];

  /** Takes the `tool_calls` of one chunk. */
  add(deltas: unknown): void {
    if (!Array.isArray(deltas)) return;
    for (const delta of deltas) if (isCallDelta(delta)) this.#addOne(delta);
  }

  /** Every call in order; one without arguments has those of an empty object. */
  all(): ModelCall[] {
    return this.#calls.map(({ id, name, arguments: text }) => ({
      ...(id === undefined ? {} : { id }),
      name,
      arguments: text.trim() === "" ? "{}" : text,
    }));
  }

  #addOne(delta: CallDelta): void {
    const id = textOf(delta.id) || undefined;
    const name = textOf(delta.function?.name);
    const index = typeof delta.index === "number" ? delta.index : undefined;
    const call = this.#continued(index, id, name) ?? this.#begun(index);
    call.id ??= id;
    if (call.name === "") call.name = name;
    call.arguments += argumentsOf(delta.function?.arguments);
  }

  /** The call that a piece goes on with. A piece with a name begins one, whatever its index, when its id is another or the last is whole. */
  #continued(index: number | undefined, id: string | undefined, name: string): OpenCall | undefined {
    const last =
      index === undefined
        ? (this.#calls.findLast((call) => id !== undefined && call.id === id) ?? this.#calls.at(-1))
        : this.#calls.findLast((call) => call.index === index);
    if (last === undefined || name === "") return last;
    const isOther = id === undefined ? index === undefined || isWhole(last) : last.id !== undefined && last.id !== id;
    return isOther ? undefined : last;
  }

  #begun(index: number | undefined): OpenCall {
    const call: OpenCall = { index, id: undefined, name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }
}

/** Whether a call has its name and all of its arguments. */
function isWhole(call: OpenCall): boolean {
  if (call.name === "") return false;
  try {
    JSON.parse(call.arguments);
    return true;
  } catch {
    return false;
  }
}

const isCallDelta = (value: unknown): value is CallDelta => typeof value === "object" && value !== null;
