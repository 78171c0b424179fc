import { commands } from "vscode";
import type { ErrorAction, ErrorActionCommand } from "../common/error-actions.ts";
import type { CommandId } from "../contributions.ts";

/** Runs one of Gavel's commands. */
type Run = (id: CommandId, argument?: unknown) => PromiseLike<unknown>;

/** What each action does; commands are run about the team that the error is about. */
const actions: Readonly<Record<ErrorActionCommand, (argument: string | undefined, run: Run) => PromiseLike<unknown>>> =
  {
    setApiKey: (secret, run) => run("gavel.setApiKey", secret),
    openTeamFile: (location, run) => run("gavel.editTeamFile", location),
    openSettings: (setting) => commands.executeCommand("workbench.action.openSettings", setting ?? "@ext:gavel.gavel"),
    retry: (_, run) => run("gavel.retry"),
    restartHost: (_, run) => run("gavel.restartHost"),
    stopHost: (_, run) => run("gavel.stopHost"),
    openTeam: (_, run) => run("gavel.openStoredTeam"),
    showLog: (_, run) => run("gavel.showLog"),
    // The command of the Problems view itself would hide a view that has the focus.
    showProblems: () => commands.executeCommand("workbench.panel.markers.view.focus"),
    selectModel: (_, run) => run("gavel.selectModel"),
    checkSetup: (_, run) => run("gavel.checkSetup"),
    manageTrust: () => commands.executeCommand("workbench.trust.manage"),
  };

/** Does what the button of an error says. */
export async function runErrorAction(
  { command, argument }: Pick<ErrorAction, "command" | "argument">,
  run: Run,
): Promise<void> {
  await actions[command](argument, run);
}
