import { type CancellationToken, CancellationTokenSource, ProgressLocation, window } from "vscode";
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

/** After so many milliseconds something is shown to be under way: before that, it would only flicker. */
const LATE_MS = 1_000;

/** As {@link withCancel}, for what is mostly done at once: the notification comes when it takes longer. */
export async function withLateCancel<T>(title: string, work: (token: CancellationToken) => Promise<T>): Promise<T> {
  const source = new CancellationTokenSource();
  const done = work(source.token);
  const late = setTimeout(() => {
    void withCancel(title, async (token) => {
      token.onCancellationRequested(() => source.cancel());
      await done.catch(() => undefined);
    });
  }, LATE_MS);
  try {
    return await done;
  } finally {
    clearTimeout(late);
    source.dispose();
  }
}
