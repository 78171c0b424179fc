import { window } from "vscode";
import { type MessageAddress, textAt } from "../team/message-address.ts";
import type { Services } from "./command.ts";

/** What came of it: an editor that was `opened` tells of its saving later (`MessageDocuments.onSaved`). */
export type EditOutcome = "written" | "opened" | "left";

/** Lets the user write a message anew: one line in an input box, several in an editor, which saves them. */
export async function editText(
  { session, messages }: Services,
  address: MessageAddress,
  title: string,
): Promise<EditOutcome> {
  const text = textAt(address, session.state);
  if (text === undefined) throw new Error("That message is there no more; nothing was changed.");
  if (text.includes("\n")) {
    await messages.open(address, `${title}.md`);
    return "opened";
  }
  const written = await window.showInputBox({
    title,
    value: text,
    valueSelection: [text.length, text.length],
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === "" ? "A message is not empty." : undefined),
  });
  if (written === undefined || written === text) return "left";
  await messages.write(address, written);
  return "written";
}
