import type { ModelCall, ModelPart } from "../../engine/model.ts";
import { KeyRedactor } from "./key-redactor.ts";

/** Removes the key of a request from its answer: a model repeats what its endpoint has put into its context. */
export class RedactedAnswer {
  readonly #text: KeyRedactor | undefined;
  readonly #thought: KeyRedactor | undefined;
  readonly #call: KeyRedactor | undefined;

  constructor(key: string | undefined) {
    this.#text = KeyRedactor.for(key);
    this.#thought = KeyRedactor.for(key);
    this.#call = KeyRedactor.for(key);
  }

  /** The part without the key; undefined if nothing of it can be passed on yet. */
  pass(part: ModelPart): ModelPart | undefined {
    switch (part.type) {
      case "text":
        return withDelta(part, this.#text?.add(part.delta));
      case "thought":
        return withDelta(part, this.#thought?.add(part.delta));
      case "calls":
        return this.#call === undefined ? part : { ...part, calls: part.calls.map((call) => this.#redacted(call)) };
      case "usage":
        return part;
      default:
        return part satisfies never;
    }
  }

  /** The last parts of the answer, with the text that has waited before its calls. */
  finish(last: readonly ModelPart[]): readonly ModelPart[] {
    const streamed = last.filter(({ type }) => type === "text" || type === "thought");
    const others = last.filter((part) => !streamed.includes(part));
    const parts = streamed.map((part) => this.pass(part));
    parts.push({ type: "thought", delta: this.#thought?.finish() ?? "" });
    parts.push({ type: "text", delta: this.#text?.finish() ?? "" });
    parts.push(...others.map((part) => this.pass(part)));
    return parts.flatMap((part) => (part === undefined || ("delta" in part && part.delta === "") ? [] : [part]));
  }

  #redacted({ id, name, arguments: json, signedThoughts }: ModelCall): ModelCall {
    const without = (text: string): string => this.#call?.whole(text) ?? text;
    return {
      ...(id === undefined ? {} : { id: without(id) }),
      name: without(name),
      arguments: without(json),
      ...(signedThoughts === undefined ? {} : { signedThoughts: without(signedThoughts) }),
    };
  }
}

/** The part with another delta; the part itself if nothing is redacted. */
function withDelta<P extends Extract<ModelPart, { readonly delta: string }>>(
  part: P,
  delta: string | undefined,
): P | undefined {
  if (delta === undefined || delta === part.delta) return part;
  return delta === "" ? undefined : { ...part, delta };
}
