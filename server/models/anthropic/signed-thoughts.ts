import * as z from "zod";
import { parseJson } from "../../../shared/parse-json.ts";

/** A block of thoughts that the model wants back as it was, with the results of the calls that followed it. */
const ThoughtBlock = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
]);
export type ThoughtBlock = z.infer<typeof ThoughtBlock>;

const Stored = z.object({
  provider: z.literal("anthropic"),
  model: z.string(),
  beforeText: z.array(ThoughtBlock),
  afterText: z.array(ThoughtBlock),
});

/** The thoughts that led to a call: those since the call before it, or since the start of the answer. */
export type ThoughtsOfCall = Pick<z.infer<typeof Stored>, "beforeText" | "afterText">;

const NONE: ThoughtsOfCall = { beforeText: [], afterText: [] };

/** Collects the thoughts of an answer for the calls that they led to. */
export class SignedThoughts {
  readonly #model: string;
  #beforeText: ThoughtBlock[] = [];
  #afterText: ThoughtBlock[] = [];
  #hasText = false;

  constructor(model: string) {
    this.#model = model;
  }

  textCame(): void {
    this.#hasText = true;
  }

  add(block: ThoughtBlock): void {
    (this.#hasText ? this.#afterText : this.#beforeText).push(block);
  }

  /** What is kept with the call that begins now; undefined if nothing came before it. */
  take(): string | undefined {
    const [beforeText, afterText] = [this.#beforeText, this.#afterText];
    this.#beforeText = [];
    this.#afterText = [];
    if (beforeText.length + afterText.length === 0) return undefined;
    return JSON.stringify({ provider: "anthropic", model: this.#model, beforeText, afterText });
  }
}

/** The thoughts kept with a call, if `model` has signed them: another one would refuse them. */
export function thoughtsOf(signedThoughts: string | undefined, model: string): ThoughtsOfCall {
  if (signedThoughts === undefined) return NONE;
  const stored = Stored.safeParse(jsonOrNull(signedThoughts)).data;
  return stored?.model === model ? stored : NONE;
}

function jsonOrNull(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
