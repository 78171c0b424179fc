import type { ProgramQuestion } from "../../shared/contract/program.ts";
import { allowQuestion, programDetail, programText, whatIs } from "../../shared/text/program-text.ts";
import { shownText } from "../text/shown-text.ts";
import { wrap } from "../text/wrap.ts";
import { type View, YES_OR_NO } from "../view/view.ts";

/**
 * Whether a program may be started: its digest, which stands for everything that decides what runs, is one of those that the
 * user allows, or the user says so.
 */
export async function mayStart(question: ProgramQuestion, digests: readonly string[], view: View): Promise<boolean> {
  const { digest } = question;
  if (digests.includes(digest)) return true;
  const { prompter } = view;
  if (prompter === undefined) {
    const what = `The ${whatIs(question)} is not ${"url" in question.start ? "used" : "started"}: ${programText(question)}`;
    view.tell("error", `${what}. Allow it with --allow-program ${digest}.`);
    return false;
  }
  const sentences = [allowQuestion(question), ...programDetail(question)];
  const from = question.from === undefined ? [] : [`Asked for by ${question.from}.`];
  const lines = [...sentences, ...from].flatMap((text) => wrap(shownText(text), prompter.columns - 1));
  return (await prompter.choose({ lines, answers: YES_OR_NO })) === "y";
}
