import type { CancellationToken, Diagnostic, Uri } from "vscode";
import { DiagnosticSeverity, languages } from "vscode";
import { EDITOR_LIMITS, type EditorProblem, type EditorProblems } from "../../shared/contract/editor-requests.ts";
import type { ParamsOf, ResultOf } from "../../shared/contract/message-type.ts";
import { firstOf, rangeOf, shortText } from "./protocol-places.ts";
import type { RecentChanges } from "./recent-changes.ts";
import { diagnosticsSettled } from "./settled-diagnostics.ts";
import { windowDocument } from "./window-uri.ts";

const SEVERITIES: Readonly<Record<DiagnosticSeverity, EditorProblem["severity"] | undefined>> = {
  [DiagnosticSeverity.Error]: "error",
  [DiagnosticSeverity.Warning]: "warning",
  [DiagnosticSeverity.Information]: "info",
  // The Problems view does not list hints.
  [DiagnosticSeverity.Hint]: undefined,
};

/** What the Problems view lists: of one file, once it has been looked at, or of all. */
export async function problems(
  { uri }: ParamsOf<typeof EditorProblems>,
  changes: RecentChanges,
  token: CancellationToken,
): Promise<ResultOf<typeof EditorProblems>> {
  const found = uri === undefined ? languages.getDiagnostics() : [await ofFile(uri, changes, token)];
  const all = found.flatMap(([file, reported]) => reported.flatMap((each) => problemOf(file, each)));
  const { first, ...rest } = firstOf(all, EDITOR_LIMITS.problems);
  return { problems: first, ...rest };
}

async function ofFile(
  uri: string,
  changes: RecentChanges,
  token: CancellationToken,
): Promise<readonly [Uri, readonly Diagnostic[]]> {
  const { document, isNew } = await windowDocument(uri);
  if (isNew || changes.has(document.uri)) await diagnosticsSettled(document.uri, token);
  return [document.uri, languages.getDiagnostics(document.uri)];
}

function problemOf(uri: Uri, { range, severity, message, source, code }: Diagnostic): EditorProblem[] {
  const known = SEVERITIES[severity];
  if (known === undefined) return [];
  const value = typeof code === "object" ? code.value : code;
  return [
    {
      uri: uri.toString(),
      range: rangeOf(range),
      severity: known,
      message: shortText(message),
      ...(source === undefined ? {} : { source: shortText(source) }),
      ...(value === undefined ? {} : { code: shortText(String(value)) }),
    },
  ];
}
