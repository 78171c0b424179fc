import { window } from "vscode";
import { plainText } from "../common/plain-text.ts";

/** How a notification looks, and whether "Do Not Disturb" hides it. */
export type NotificationKind = "info" | "warning" | "error";

/**
 * Shows a notification. VS Code makes links of `[text](command:…)` in notifications, and messages contain names and errors
 * that come from team files, models and endpoints; here every message is shown as it is, and has no link.
 * @param actions the labels of its buttons.
 * @returns the label of the button that was clicked; undefined when the notification was closed.
 */
export function notify<Action extends string>(
  kind: NotificationKind,
  message: string,
  ...actions: readonly Action[]
): Thenable<Action | undefined> {
  const text = plainText(message);
  switch (kind) {
    case "info":
      return window.showInformationMessage(text, ...actions);
    case "warning":
      return window.showWarningMessage(text, ...actions);
    case "error":
      return window.showErrorMessage(text, ...actions);
  }
}
