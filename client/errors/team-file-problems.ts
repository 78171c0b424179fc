import type { Disposable, Uri } from "vscode";
import { Diagnostic, DiagnosticSeverity, languages, Position, Range, workspace } from "vscode";
import type * as z from "zod";
import type { Problem } from "../../shared/contract/problem.ts";

/**
 * The problems of a team file that is not in an editor and could not be opened as a team, until it can. Those of a file in
 * an editor come from the host while it is edited.
 */
export class TeamFileProblems implements Disposable {
  readonly #collection = languages.createDiagnosticCollection("gavel");
  readonly #opened = workspace.onDidOpenTextDocument(({ uri }) => this.clear(uri));

  set(uri: Uri, problems: readonly z.infer<typeof Problem>[]): void {
    const isInEditor = workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    if (!isInEditor) this.#collection.set(uri, problems.map(diagnostic));
  }

  clear(uri: Uri): void {
    this.#collection.delete(uri);
  }

  dispose(): void {
    this.#opened.dispose();
    this.#collection.dispose();
  }
}

function diagnostic({ path, message, line = 1, column = 1 }: z.infer<typeof Problem>): Diagnostic {
  const start = new Position(Math.max(0, line - 1), Math.max(0, column - 1));
  // The host gives only the start of a problem.
  const range = new Range(start, new Position(start.line, Number.MAX_SAFE_INTEGER));
  const shown = new Diagnostic(range, path === "" ? message : `${path}: ${message}`, DiagnosticSeverity.Error);
  shown.source = "Gavel";
  return shown;
}
