import type { CodeLensProvider, Disposable, TextDocument } from "vscode";
import { CodeLens, languages, Range, workspace } from "vscode";
import { Disposables } from "../disposables.ts";
import type { HostProcess } from "../host/host-process.ts";
import { TEAM_FILE_DOCUMENTS } from "./team-files.ts";

/**
 * What the editor offers in a team file: the host's diagnostics, completion and hover, for which the host is started with
 * the first one that is opened, and above the first line the command to run the team.
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
    const command = {
      title: "$(play) Run in Chat",
      command: "gavel.openTeamFile",
      tooltip: "Open this team in the chat, where you give it a task",
      arguments: [uri],
    };
    return [new CodeLens(new Range(0, 0, 0, 0), command)];
  },
};
