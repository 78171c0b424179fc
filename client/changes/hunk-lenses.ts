import type { CodeLensProvider, Disposable, TextDocument } from "vscode";
import { CodeLens, EventEmitter, languages } from "vscode";
import type { ChangedHunk } from "../../shared/contract/edits.ts";
import { EditsFile } from "../../shared/contract/requests.ts";
import { countText } from "../../shared/text/count-text.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandId } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { ShownChanges } from "./shown-changes.ts";

const KEEP: CommandId = "gavel.keepHunk";
const UNDO: CommandId = "gavel.undoHunk";
/** With more, the lenses would hide the file; the diff editor and the commands still have all. */
const MAX_LENSES = 200;

/** A hunk of a file, as commands get it. */
export interface HunkArgument {
  readonly path: string;
  readonly hunk: string;
}

/** Offers Keep and Undo above each hunk of a file that the shown team has changed. */
export class HunkLenses implements Disposable, CodeLensProvider {
  readonly #host: HostProcess;
  readonly #changes: ShownChanges;
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new EventEmitter<void>());
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(host: HostProcess, changes: ShownChanges) {
    this.#host = host;
    this.#changes = changes;
    this.#own.add(changes.onChanged(() => this.#changed.fire()));
    this.#own.add(languages.registerCodeLensProvider({ scheme: "file" }, this));
  }

  async provideCodeLenses(document: TextDocument): Promise<CodeLens[]> {
    const teamId = this.#changes.current?.teamId;
    const file = this.#changes.find(document.uri);
    if (teamId === undefined || file === undefined) return [];
    const found = await this.#host.request(EditsFile, { teamId, path: file.path }).catch(() => undefined);
    return (found?.hunks ?? []).slice(0, MAX_LENSES).flatMap((hunk) => lensesOf(document, file.path, hunk));
  }

  dispose(): void {
    this.#own.dispose();
  }
}

function lensesOf(document: TextDocument, path: string, hunk: ChangedHunk): CodeLens[] {
  const line = Math.min(hunk.line, document.lineCount - 1);
  const { range } = document.lineAt(line);
  const argument: HunkArgument = { path, hunk: hunk.id };
  return [
    new CodeLens(range, { command: KEEP, title: "Keep", tooltip: textOf(hunk), arguments: [argument] }),
    new CodeLens(range, { command: UNDO, title: "Undo", tooltip: textOf(hunk), arguments: [argument] }),
    new CodeLens(range, { command: "", title: textOf(hunk) }),
  ];
}

/** VS Code shows icons for `$(name)` in titles, and names of participants come from team files. */
function textOf({ participants, lines, baseLines, mixed }: ChangedHunk): string {
  const who = participants.length === 0 ? "The team" : participants.map((name) => visibleText(name).text).join(", ");
  const what = lines === 0 ? `removed ${countText(baseLines, "line")}` : `changed ${countText(lines, "line")}`;
  return `${who} ${what}${mixed ? ", and so have you" : ""}`.replaceAll("$(", "$ (");
}
