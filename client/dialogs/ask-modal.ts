import { window } from "vscode";
import { visibleOrder } from "../../shared/text/visible-text.ts";

/**
 * Asks a question in a modal dialog, which VS Code shows as plain text.
 * @param detail what the user should know; callers write out invisible characters where they matter (`visibleText`).
 * @param answers the labels of its buttons, besides Cancel. Enter chooses the first: never one by which something is lost.
 * @returns the label of the button that was clicked; undefined when the dialog was cancelled.
 */
export function askModal<Answer extends string>(
  question: string,
  detail: string,
  ...answers: readonly Answer[]
): Thenable<Answer | undefined> {
  return window.showWarningMessage(visibleOrder(question), { modal: true, detail: visibleOrder(detail) }, ...answers);
}
