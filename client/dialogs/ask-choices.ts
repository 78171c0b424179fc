import { type QuickPickItem, window } from "vscode";
import { answerText, type ChoiceQuestion } from "../../shared/ask-user.ts";
import { plainText } from "../common/plain-text.ts";
import { askText } from "./ask-text.ts";

/** A choice, or the item for the user's own words. */
interface ChoiceItem extends QuickPickItem {
  readonly chosen?: string;
}

const OTHER = "Answer in Your Own Words…";

/** Asks a participant's question with its choices, or with an input box. @returns undefined when it was closed. */
export async function askChoices(question: ChoiceQuestion, participant: string): Promise<string | undefined> {
  const title = plainText(`${participant} asks`);
  const { choices, several } = question;
  if (choices.length === 0) return inOwnWords(question, title);
  const items = choices.map(
    ({ label, description }): ChoiceItem => ({
      label: plainText(label),
      chosen: label,
      ...(description === undefined ? {} : { detail: plainText(description) }),
    }),
  );
  const options = { title, placeHolder: plainText(question.question), ignoreFocusOut: true, matchOnDetail: true };
  const own: ChoiceItem = { label: OTHER };
  if (!several) {
    const picked = await window.showQuickPick([...items, own], options);
    return picked === own ? inOwnWords(question, title) : picked?.chosen;
  }
  const picked = await window.showQuickPick([...items, own], { ...options, canPickMany: true });
  if (picked === undefined || picked.length === 0) return undefined;
  const labels = picked.flatMap(({ chosen }) => chosen ?? []);
  const text = picked.includes(own) ? await inOwnWords(question, title) : "";
  return text === undefined ? undefined : answerText(labels, text);
}

async function inOwnWords({ question }: ChoiceQuestion, title: string): Promise<string | undefined> {
  const text = await askText({ title, prompt: question, ignoreFocusOut: true });
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
