import { type QuickPickItem, window } from "vscode";
import { plainText } from "../common/plain-text.ts";
import { answered, type Step, type StepAnswer } from "./steps.ts";

interface Row extends QuickPickItem {
  readonly value: string;
}

/**
 * A text with values to choose from, which are asked for with each change of what is typed; what is typed itself can be
 * chosen too. `optional` allows an empty one.
 */
export async function completedStep({
  placeholder,
  value,
  first,
  optional,
  complete,
  ...step
}: Step & {
  readonly placeholder: string;
  readonly value: string;
  /** The values for an empty text. */
  readonly first: readonly string[];
  readonly optional: boolean;
  readonly complete: (typed: string) => Promise<readonly string[]>;
}): Promise<StepAnswer<string>> {
  const picker = window.createQuickPick<Row>();
  let asked = 0;
  const show = (typed: string, values: readonly string[]): void => {
    const own = typed !== "" && !values.includes(typed) ? [row(typed, "Use this text")] : [];
    const none = optional && typed === "" ? [row("", "Leave it empty")] : [];
    picker.items = [...own, ...values.map((one) => row(one)), ...none];
  };
  const update = async (typed: string): Promise<void> => {
    const at = ++asked;
    show(typed, matching(first, typed));
    picker.busy = true;
    const values = await complete(typed).catch(() => []);
    // The picker is gone, or the user has typed more.
    if (at !== asked) return;
    picker.busy = false;
    show(typed, values);
  };
  picker.placeholder = placeholder;
  picker.value = value;
  show(value, matching(first, value));
  const answer = await answered<string>(picker, step, (take) => [
    picker.onDidChangeValue((typed) => void update(typed)),
    picker.onDidAccept(() => {
      const [picked] = picker.selectedItems;
      if (picked !== undefined) take(picked.value);
    }),
  ]);
  asked++;
  return answer;
}

/** A row that is shown whatever is typed: the server decides what fits. */
const row = (value: string, description?: string): Row => ({
  label: value === "" ? "None" : plainText(value),
  ...(description === undefined ? {} : { description }),
  value,
  alwaysShow: true,
});

const matching = (values: readonly string[], typed: string): readonly string[] =>
  values.filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
