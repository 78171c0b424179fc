import { askText } from "../../dialogs/ask-text.ts";
import { type MessageAddress, textAt } from "../../messages/message-address.ts";
import type { Services } from "../command.ts";

/** What happened. After `opened`, the text is saved from the editor later (`MessageDocuments.onSaved`). */
export type EditOutcome = "saved" | "opened" | "cancelled";

/** Lets the user edit a message: a single line in an input box, several lines in an editor. */
export async function editText(
  { actions, messages }: Services,
  address: MessageAddress,
  title: string,
): Promise<EditOutcome> {
  const text = textAt(address, actions.session?.state);
  if (text === undefined) throw new Error("This message no longer exists.");
  if (text.includes("\n")) {
    await messages.open(address, `${title}.md`);
    return "opened";
  }
  const written = await askText({
    title,
    value: text,
    valueSelection: [text.length, text.length],
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === "" ? "Enter a message." : undefined),
  });
  if (written === undefined || written === text) return "cancelled";
  await messages.write(address, written);
  return "saved";
}
