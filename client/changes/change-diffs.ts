import type { Disposable } from "vscode";
import { commands, Uri, workspace } from "vscode";
import type { ChangedFile, CommandChange } from "../../shared/contract/edits.ts";
import { EditsFile } from "../../shared/contract/requests.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { Disposables } from "../disposables.ts";
import type { HostProcess } from "../host/host-process.ts";
import { ReadOnlyDocuments } from "../read-only-documents.ts";
import type { ShownChanges } from "./shown-changes.ts";

const SCHEME = "gavel-base";

/** Diffs between the base of a changed file, which follows the user's own edits, and the file itself. */
export class ChangeDiffs implements Disposable {
  readonly #host: HostProcess;
  readonly #changes: ShownChanges;
  readonly #own = new Disposables();
  readonly #documents = this.#own.add(new ReadOnlyDocuments(SCHEME));
  /** The file that each open base belongs to. */
  readonly #open = new Map<string, { readonly teamId: string; readonly name: string; readonly path: string }>();

  constructor(host: HostProcess, changes: ShownChanges) {
    this.#host = host;
    this.#changes = changes;
    this.#own.add(changes.onChanged(() => void this.#update()));
    this.#own.add(workspace.onDidCloseTextDocument(({ uri }) => this.#open.delete(uri.toString())));
  }

  /** Opens the diff of one file. */
  async open(teamId: string, file: ChangedFile): Promise<void> {
    const [left, right] = await this.#sides(teamId, file);
    const title = `${visibleText(file.path).text} (Changes)`;
    await commands.executeCommand("vscode.diff", left, right, title, { preview: true });
  }

  /** Opens the diff of a file that a command moved, from its content at the old path; the file where that is not known. */
  async openMoved(teamId: string, { path, uri, from = path }: CommandChange): Promise<void> {
    const { base } = await this.#host.request(EditsFile, { teamId, path });
    if (base === null) {
      await commands.executeCommand("vscode.open", Uri.parse(uri));
      return;
    }
    const left = this.#documents.put(from, JSON.stringify([teamId, path, "moved"]), base);
    const title = `${visibleText(from).text} → ${visibleText(path).text} (Moved)`;
    await commands.executeCommand("vscode.diff", left, Uri.parse(uri), title, { preview: true });
  }

  /** Opens the diffs of all files in one editor. */
  async openAll(teamId: string, files: readonly ChangedFile[]): Promise<void> {
    const sides = await Promise.all(
      files.map(async (file) => {
        const [left, right] = await this.#sides(teamId, file);
        return [
          Uri.parse(file.uri),
          file.change === "created" ? undefined : left,
          file.change === "deleted" ? undefined : right,
        ];
      }),
    );
    await commands.executeCommand("vscode.changes", "Gavel: All Changes", sides);
  }

  dispose(): void {
    this.#own.dispose();
  }

  async #sides(teamId: string, { path, uri, change }: ChangedFile): Promise<readonly [Uri, Uri]> {
    const { base } = await this.#host.request(EditsFile, { teamId, path });
    // A base at another path than its file would be shown as renamed.
    const name = Uri.parse(uri).path.slice(1);
    const left = this.#documents.put(name, JSON.stringify([teamId, path]), base ?? "");
    this.#open.set(left.toString(), { teamId, name, path });
    const gone = this.#documents.put(name, JSON.stringify([teamId, path, "gone"]), "");
    return [left, change === "deleted" ? gone : Uri.parse(uri)];
  }

  async #update(): Promise<void> {
    for (const [uri, { teamId, name, path }] of this.#open) {
      const isOpen = workspace.textDocuments.some((document) => document.uri.toString() === uri);
      if (!isOpen || this.#changes.current?.teamId !== teamId) continue;
      const found = await this.#host.request(EditsFile, { teamId, path }).catch(() => undefined);
      if (found !== undefined) this.#documents.put(name, JSON.stringify([teamId, path]), found.base ?? "");
    }
  }
}
