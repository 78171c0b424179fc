import { type CancellationToken, ProgressLocation, window } from "vscode";
import { plainText } from "../common/plain-text.ts";

/** Shows in a notification that something is under way, which the user can cancel there. */
export function withCancel<T>(
  title: string,
  work: (token: CancellationToken, say: (message: string) => void) => Promise<T>,
): Thenable<T> {
  return window.withProgress(
    { location: ProgressLocation.Notification, title: plainText(title), cancellable: true },
    (progress, token) => work(token, (message) => progress.report({ message: plainText(message) })),
  );
}
