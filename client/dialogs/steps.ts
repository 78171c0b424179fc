import { type Disposable, type InputBox, QuickInputButtons, type QuickPick, type QuickPickItem, window } from "vscode";
import { plainText } from "../common/plain-text.ts";

/** The user goes back to the step before. */
export const BACK = Symbol("back");

/** What the user answered in a step; undefined when it was closed. */
export type StepAnswer<T> = T | typeof BACK | undefined;

export interface Step {
  readonly title: string;
  /** Which step this is, from 1; the first has no Back button. */
  readonly step: number;
  readonly totalSteps: number;
}

/** One item of a list. */
export function pickStep<T extends QuickPickItem>(
  options: Step & { readonly placeholder: string; readonly items: readonly T[] },
): Promise<StepAnswer<T>> {
  const picker = window.createQuickPick<T>();
  picker.items = options.items;
  picker.placeholder = options.placeholder;
  picker.matchOnDetail = true;
  return answered(picker, options, (answer) => [picker.onDidAccept(() => answer(picker.selectedItems[0]))]);
}

/** Any items of a list. */
export function pickManyStep<T extends QuickPickItem>(
  options: Step & { readonly placeholder: string; readonly items: readonly T[] },
): Promise<StepAnswer<readonly T[]>> {
  const picker = window.createQuickPick<T>();
  picker.canSelectMany = true;
  picker.items = options.items;
  picker.selectedItems = options.items.filter(({ picked }) => picked === true);
  picker.placeholder = options.placeholder;
  return answered(picker, options, (answer) => [picker.onDidAccept(() => answer(picker.selectedItems))]);
}

/** A text. `problemOf` says what is wrong with it, if something is. */
export function textStep(
  options: Step & {
    readonly prompt: string;
    readonly placeholder?: string;
    readonly value: string;
    /** Whether what is typed is hidden. */
    readonly password?: true;
    readonly problemOf: (text: string) => string | undefined;
  },
): Promise<StepAnswer<string>> {
  const box = window.createInputBox();
  box.prompt = plainText(options.prompt);
  box.placeholder = options.placeholder ?? "";
  box.value = options.value;
  box.password = options.password === true;
  return answered(box, options, (answer) => [
    box.onDidChangeValue(() => {
      box.validationMessage = "";
    }),
    box.onDidAccept(() => {
      const problem = options.problemOf(box.value);
      if (problem === undefined) answer(box.value);
      else box.validationMessage = problem;
    }),
  ]);
}

/** Shows an input, and resolves with what `listen` answers; undefined when it is closed. */
export async function answered<T>(
  input: QuickPick<QuickPickItem> | InputBox,
  { title, step, totalSteps }: Step,
  listen: (answer: (value: T | undefined) => void) => readonly Disposable[],
): Promise<StepAnswer<T>> {
  input.title = title;
  input.step = step;
  input.totalSteps = totalSteps;
  input.ignoreFocusOut = true;
  input.buttons = step > 1 ? [QuickInputButtons.Back] : [];
  const { promise, resolve } = Promise.withResolvers<StepAnswer<T>>();
  const listeners = [
    input.onDidTriggerButton(() => resolve(BACK)),
    input.onDidHide(() => resolve(undefined)),
    ...listen(resolve),
  ];
  input.show();
  try {
    return await promise;
  } finally {
    for (const listener of listeners) listener.dispose();
    input.dispose();
  }
}

/** Where a step is among all, both from 1. */
export type StepPlace = Pick<Step, "step" | "totalSteps">;

/**
 * Asks one step after another; each keeps its own answer, and is asked again after Back. False when the user closed one.
 * @param steps the steps, which may depend on the answers so far.
 */
export async function askSteps(
  steps: () => readonly ((place: StepPlace) => Promise<StepAnswer<true>>)[],
): Promise<boolean> {
  let at = 0;
  for (;;) {
    const all = steps();
    const ask = all[at];
    if (ask === undefined) return true;
    const answer = await ask({ step: at + 1, totalSteps: all.length });
    if (answer === undefined) return false;
    at = answer === BACK ? Math.max(0, at - 1) : at + 1;
  }
}
