import type { CodeLensProvider, Disposable, TextDocument } from "vscode";
import { CodeLens, languages, Range, workspace } from "vscode";
import { Disposables } from "../disposables.ts";
import type { HostProcess } from "../host/host-process.ts";
import { TEAM_FILE_DOCUMENTS } from "./team-files.ts";

/**
 * What the editor offers in a team file: the host's diagnostics, completion and hover, for which the host is started with
 * the first one that is opened, and above the first line the commands to run or open the team.
 */
export class TeamFileEditing implements Disposable {
  readonly #own = new Disposables();

  constructor(host: HostProcess) {
    const shown = (document: TextDocument): void => {
      if (languages.match(TEAM_FILE_DOCUMENTS, document) > 0) void host.ensureStarted();
    };
    this.#own.add(workspace.onDidOpenTextDocument(shown));
    workspace.textDocuments.forEach(shown);
    this.#own.add(languages.registerCodeLensProvider(TEAM_FILE_DOCUMENTS, lenses));
  }

  dispose(): void {
    this.#own.dispose();
  }
}

const lenses: CodeLensProvider = {
  provideCodeLenses({ uri, isUntitled }) {
    if (isUntitled) return [];
    const lens = (title: string, command: string, tooltip: string): CodeLens =>
      new CodeLens(new Range(0, 0, 0, 0), { title, command, tooltip, arguments: [uri] });
    return [
      lens("$(play) Run Team…", "gavel.runTeamFile", "Open this team in the chat and give it a task"),
      lens("Open Team", "gavel.openTeamFile", "Open this team in the chat"),
    ];
  },
};
