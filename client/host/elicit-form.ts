import type { CancellationToken } from "vscode";
import type { ElicitAnswer, ElicitField } from "../../shared/contract/mcp-question.ts";
import { plainText } from "../common/plain-text.ts";
import { askSteps, BACK, pickManyStep, pickStep, type StepAnswer, type StepPlace, textStep } from "../dialogs/steps.ts";
import { fieldProblem, fieldValue } from "./elicit-fields.ts";

type Value = NonNullable<ElicitAnswer["content"]>[string];

/** Asks for each field of a form in its own step; undefined when the user closes one. */
export async function askForm(
  title: string,
  fields: readonly ElicitField[],
  token: CancellationToken,
): Promise<Record<string, Value> | undefined> {
  const values = new Map<string, Value>();
  const done = await askSteps(() =>
    fields.map((field) => async (place): Promise<StepAnswer<true>> => {
      if (token.isCancellationRequested) return undefined;
      const answer = await ask(field, values.get(field.name) ?? field.default, { ...place, title: plainText(title) });
      if (answer === undefined || answer === BACK) return answer;
      if (answer.value === undefined) values.delete(field.name);
      else values.set(field.name, answer.value);
      return true;
    }),
  );
  return done && !token.isCancellationRequested ? Object.fromEntries(values) : undefined;
}

/** The value of one field; none for an optional one that was left empty. */
async function ask(
  field: ElicitField,
  value: Value | undefined,
  step: StepPlace & { readonly title: string },
): Promise<StepAnswer<{ readonly value: Value | undefined }>> {
  const { name, type, title = name, description, required, choices = [] } = field;
  const prompt = `${title}${required ? "" : " (optional)"}${description === undefined ? "" : `: ${description}`}`;
  const placeholder = plainText(prompt);
  if (type === "boolean") {
    const items = [
      { label: "Yes", value: true },
      { label: "No", value: false },
    ];
    return chosen(await pickStep({ ...step, placeholder, items: value === false ? items.toReversed() : items }));
  }
  if (type === "choice") {
    const items = choices.map((choice) => ({ label: plainText(choice.title), value: choice.value }));
    const none = required ? [] : [{ label: "None", value: undefined }];
    const first = items.filter((item) => item.value === value);
    const rest = items.filter((item) => item.value !== value);
    return chosen(
      await pickStep<{ label: string; value: Value | undefined }>({
        ...step,
        placeholder,
        items: [...first, ...rest, ...none],
      }),
    );
  }
  if (type === "choices") {
    const before: readonly unknown[] = Array.isArray(value) ? value : [];
    const items = choices.map((choice) => ({
      label: plainText(choice.title),
      value: choice.value,
      picked: before.includes(choice.value),
    }));
    const picked = await pickManyStep({ ...step, placeholder, items });
    return picked === undefined || picked === BACK ? picked : { value: picked.map((item) => item.value) };
  }
  const text = await textStep({
    ...step,
    prompt,
    value: value === undefined ? "" : String(value),
    problemOf: (typed) => fieldProblem(field, typed),
  });
  return text === undefined || text === BACK ? text : { value: fieldValue(field, text) };
}

const chosen = <T>(item: StepAnswer<{ readonly value: T }>): StepAnswer<{ readonly value: T }> => item;
