import type { CancellationToken, Uri } from "vscode";
import { languages } from "vscode";

/** How long to wait for the first report on a file that has just been opened or changed, in milliseconds. */
const FIRST_MS = 5000;
/** How long no further report comes when they are taken for complete. Language servers report in several parts. */
const QUIET_MS = 600;
const LONGEST_MS = 10_000;

/** Resolves when the reports on a file have come, as far as can be known: VS Code does not tell when they are complete. */
export function diagnosticsSettled(uri: Uri, token: CancellationToken): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      for (const each of own) each.dispose();
      clearTimeout(quiet);
      clearTimeout(longest);
      resolve();
    };
    let quiet = setTimeout(end, FIRST_MS);
    const longest = setTimeout(end, LONGEST_MS);
    const own = [
      languages.onDidChangeDiagnostics(({ uris }) => {
        if (!uris.some((changed) => changed.toString() === uri.toString())) return;
        clearTimeout(quiet);
        quiet = setTimeout(end, QUIET_MS);
      }),
      token.onCancellationRequested(end),
    ];
    if (token.isCancellationRequested) end();
  });
}
