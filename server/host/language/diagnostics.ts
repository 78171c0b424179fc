import { type Diagnostic, DiagnosticSeverity, type Range } from "vscode-languageserver/node";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Problem } from "../../../shared/contract/problem.ts";
import type { ValidationContext } from "../definition/definition-scope.ts";
import type { ResolveContent } from "../definition/resolved-content.ts";
import { readTeamText } from "../team-file/parse-team-file.ts";
import { LONGEST_TEXT } from "./incomplete-text.ts";

/** The problems of a team file as it is in the editor: those for which it could not be opened. */
export async function diagnosticsOf(
  document: TextDocument,
  around: ValidationContext,
  resolve: ResolveContent,
): Promise<Diagnostic[]> {
  const text = document.getText();
  if (text.trim() === "") return [];
  if (text.length > LONGEST_TEXT) return [tooLong(document)];
  const content = await readTeamText(text, around, resolve);
  return content.ok
    ? content.notes.map((note) => ({ ...diagnostic(document, note), severity: DiagnosticSeverity.Information }))
    : content.problems.map((problem) => diagnostic(document, problem));
}

const tooLong = (document: TextDocument): Diagnostic => ({
  range: { start: document.positionAt(0), end: document.positionAt(1) },
  severity: DiagnosticSeverity.Information,
  source: "Gavel",
  message: `The file is longer than ${LONGEST_TEXT / 1024} KB, so it is checked when you open the team, not as you type.`,
});

function diagnostic(document: TextDocument, { path, message, line = 1, column = 1 }: Problem): Diagnostic {
  return {
    range: wordRange(document, line - 1, column - 1),
    severity: DiagnosticSeverity.Error,
    source: "Gavel",
    message: path === "" ? message : `${path}: ${message}`,
  };
}

/** From a problem's start to the end of its key or value on that line. */
function wordRange(document: TextDocument, line: number, character: number): Range {
  const start = { line, character };
  const rest = document.getText({ start, end: { line: line + 1, character: 0 } }).trimEnd();
  const [word = ""] = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s:,[\]{}#"'](?:(?!:\s|\s#|[,[\]{}]|:$).)*)/.exec(rest) ?? [];
  return { start, end: { line, character: character + Math.max(1, word.trimEnd().length) } };
}
