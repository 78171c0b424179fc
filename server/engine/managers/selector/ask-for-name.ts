import type { ContextItem, Model } from "../../model.ts";
import { findNames } from "../conversation/find-names.ts";
import { withoutReasoning } from "../conversation/without-reasoning.ts";
import type { SelectionContext } from "../manager.ts";

/** What a model is asked when it chooses the next speaker. */
export interface NameQuestion {
  readonly model: Model;
  readonly prompt: string;
  readonly candidates: readonly string[];
  /** All participants. An answer that names two is ambiguous, even when one of them is not a candidate. */
  readonly names: readonly string[];
  /** The previous speaker, who may not speak twice in a row. */
  readonly refused: string | undefined;
  readonly maxAttempts: number;
}

/** The candidate that the model named; or that its answers were unusable, or that it was interrupted. */
export type NameAnswer =
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "unclear" }
  | { readonly kind: "interrupted" };

/** Asks until the answer names exactly one candidate, with feedback on each wrong answer. */
export async function askForName(context: SelectionContext, question: NameQuestion): Promise<NameAnswer> {
  const { model, prompt, maxAttempts } = question;
  const items: ContextItem[] = [{ role: "user", source: "user", content: prompt }];
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const answer = await context.askModel({ model, instructions: "", items: [...items], purpose: "select" });
    if (answer === undefined) return { kind: "interrupted" };
    const named = findNames(withoutReasoning(answer), question.names);
    const [name] = named;
    const feedback = feedbackOn(named, question);
    if (name !== undefined && feedback === undefined) return { kind: "named", name };
    items.push(
      { role: "assistant", content: answer, calls: [] },
      {
        role: "user",
        source: "user",
        content: `${feedback} Respond with exactly one of these names and nothing else: ${question.candidates.join(", ")}.`,
      },
    );
  }
  return { kind: "unclear" };
}

function feedbackOn(named: readonly string[], { candidates, refused }: NameQuestion): string | undefined {
  const [name, ...more] = named;
  if (name === undefined) return "Your answer does not name a participant.";
  if (more.length > 0) return `Your answer names more than one participant: ${named.join(", ")}.`;
  if (candidates.includes(name)) return undefined;
  return name === refused ? `${name} spoke last and cannot speak twice in a row.` : `${name} cannot speak next.`;
}
