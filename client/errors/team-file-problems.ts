import type { Disposable, Uri } from "vscode";
import { Diagnostic, DiagnosticSeverity, languages, Position, Range } from "vscode";
import type * as z from "zod";
import type { Problem } from "../../shared/contract/problem.ts";

/** The problems of team files, as diagnostics in the editor until the file opens without any. */
export class TeamFileProblems implements Disposable {
  readonly #collection = languages.createDiagnosticCollection("gavel");

  set(uri: Uri, problems: readonly z.infer<typeof Problem>[]): void {
    this.#collection.set(uri, problems.map(diagnostic));
  }

  clear(uri: Uri): void {
    this.#collection.delete(uri);
  }

  dispose(): void {
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
