import type { Disposable } from "vscode";
import { lm, Uri, workspace } from "vscode";
import { Disposables } from "../disposables.ts";
import { patternOf } from "../files/watch-file.ts";
import type { OpenTeams } from "./open-teams.ts";
import type { TeamOpener } from "./team-opener.ts";

/** Opens a team as soon as its file, which could not be opened, has been corrected: in the editor or outside. */
export class CorrectedFiles implements Disposable {
  readonly #teams: OpenTeams;
  readonly #opener: TeamOpener;
  readonly #failed: (error: unknown) => void;
  readonly #own = new Disposables();
  #watching: { readonly uri: string; readonly scope: Disposables } | undefined;

  /** @param failed told what goes wrong besides the problems of the file. */
  constructor(teams: OpenTeams, opener: TeamOpener, failed: (error: unknown) => void) {
    this.#teams = teams;
    this.#opener = opener;
    this.#failed = failed;
    this.#own.add(teams.onChanged(() => this.#watch()));
    // A team that lacked a model may have the default one now.
    this.#own.add(lm.onDidChangeChatModels(() => this.#again()));
    this.#own.add(
      workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("gavel.model") && this.#again()),
    );
  }

  dispose(): void {
    this.#watching?.scope.dispose();
    this.#own.dispose();
  }

  #watch(): void {
    const uri = this.#teams.failure?.uri;
    if (uri === this.#watching?.uri) return;
    this.#watching?.scope.dispose();
    this.#watching = uri === undefined ? undefined : { uri, scope: this.#watchFile(Uri.parse(uri, true)) };
  }

  #again(): void {
    this.#opener.openAgain().catch(this.#failed);
  }

  #watchFile(file: Uri): Disposables {
    const scope = new Disposables();
    const watcher = scope.add(workspace.createFileSystemWatcher(patternOf(file)));
    const again = (): void => this.#again();
    scope.add(watcher.onDidChange(again));
    scope.add(watcher.onDidCreate(again));
    scope.add(workspace.onDidSaveTextDocument(({ uri }) => uri.toString() === file.toString() && again()));
    return scope;
  }
}
