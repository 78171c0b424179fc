import { commands, Position, Range, Uri, window } from "vscode";
import type { ErrorAction, ErrorActionCommand } from "../common/error-actions.ts";
import { runGavelCommand } from "../run-gavel-command.ts";
import { requireInWorkspace } from "../workspace-file.ts";

/** What each action does. */
const actions: Readonly<Record<ErrorActionCommand, (argument: string | undefined) => PromiseLike<unknown>>> = {
  setApiKey: (secret) => runGavelCommand("gavel.setApiKey", secret),
  openTeamFile: (location) =>
    location === undefined ? runGavelCommand("gavel.openTeamFile") : openLocation(Uri.parse(location, true)),
  openSettings: (setting) => commands.executeCommand("workbench.action.openSettings", setting ?? "@ext:gavel.gavel"),
  retry: () => runGavelCommand("gavel.retry"),
  restartHost: () => runGavelCommand("gavel.restartHost"),
  openTeam: () => runGavelCommand("gavel.openStoredTeam"),
  showLog: () => runGavelCommand("gavel.showLog"),
  manageTrust: () => commands.executeCommand("workbench.trust.manage"),
};

/** Does what the button of an error says. */
export async function runErrorAction({ command, argument }: Pick<ErrorAction, "command" | "argument">): Promise<void> {
  await actions[command](argument);
}

/** Opens a file of the workspace; a fragment `L12,3` names a line and column, both from 1. */
async function openLocation(location: Uri): Promise<void> {
  const uri = await requireInWorkspace(location.with({ fragment: "" }));
  const [, line = "1", column = "1"] = /^L(\d+)(?:,(\d+))?$/.exec(location.fragment) ?? [];
  const position = new Position(Math.max(0, Number(line) - 1), Math.max(0, Number(column) - 1));
  await window.showTextDocument(uri, { selection: new Range(position, position) });
}
