import type { ContextItem, Model } from "../../model.ts";
import { findNames } from "../conversation/find-names.ts";
import { withoutReasoning } from "../conversation/without-reasoning.ts";
import type { SelectionContext } from "../manager.ts";

/** Whom a model may choose, and whom it may name by mistake. */
export interface NameQuestion {
  readonly model: Model;
  readonly prompt: string;
  readonly candidates: readonly string[];
  /** All participants: an answer that names two of them is ambiguous, also when one may not speak. */
  readonly names: readonly string[];
  /** Who spoke last and may not speak twice in a row. */
  readonly refused: string | undefined;
  readonly maxAttempts: number;
}

/** The name that the model gave, or that it gave none that counts, or that it was interrupted. */
export type NameAnswer =
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "unclear" }
  | { readonly kind: "interrupted" };

/** Asks until the answer names exactly one candidate, each time with what was wrong before. */
export async function askForName(floor: SelectionContext, question: NameQuestion): Promise<NameAnswer> {
  const { model, prompt, maxAttempts } = question;
  const items: ContextItem[] = [{ role: "user", source: "user", content: prompt }];
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const answer = await floor.askModel({ model, instructions: "", items: [...items], purpose: "select" });
    if (answer === undefined) return { kind: "interrupted" };
    const named = findNames(withoutReasoning(answer), question.names);
    const [name] = named;
    const complaint = complaintAbout(named, question);
    if (name !== undefined && complaint === undefined) return { kind: "named", name };
    items.push(
      { role: "assistant", content: answer, calls: [] },
      {
        role: "user",
        source: "user",
        content: `${complaint} Answer with one of these names and nothing else: ${question.candidates.join(", ")}.`,
      },
    );
  }
  return { kind: "unclear" };
}

function complaintAbout(named: readonly string[], { candidates, refused }: NameQuestion): string | undefined {
  const [name, ...more] = named;
  if (name === undefined) return "Your answer names none of the participants.";
  if (more.length > 0) return `Your answer names several participants: ${named.join(", ")}.`;
  if (candidates.includes(name)) return undefined;
  return name === refused ? `${name} has just spoken and may not speak twice in a row.` : `${name} may not speak now.`;
}
