import { Uri } from "vscode";
import { GavelError } from "../../../shared/contract/errors.ts";
import { TeamSetModel } from "../../../shared/contract/requests.ts";
import { type ModelChoice, modelChoices } from "../../../shared/state/chosen-models.ts";
import type { HostProcess } from "../../host/host-process.ts";
import type { Command } from "../command.ts";

/**
 * Starts a new thread of the active team, beside the present one, with the models that were chosen in it. An empty thread is
 * used as it is.
 */
export const newThread: Command = async ({ actions, opener, chat, run, host, teams }) => {
  await opener.restore();
  if (actions.session === undefined) return run("gavel.openTeamFile");
  const { team } = actions;
  const { uri, teamId, threadLength, status } = team;
  const isEmpty = threadLength === 0 && status === "idle";
  if (!isEmpty && uri !== undefined) {
    await opener.openFile(Uri.parse(uri, true));
    const opened = teams.active?.state?.teamId;
    if (opened !== undefined && opened !== teamId) await chooseModels(host, opened, modelChoices(team));
  } else if (!isEmpty) await opener.copyEmpty(teamId);
  await chat.focus();
};

/** The file may have changed: a participant or a model that it no longer has is left out. */
async function chooseModels(host: HostProcess, teamId: string, choices: readonly ModelChoice[]): Promise<void> {
  for (const choice of choices) {
    try {
      await host.request(TeamSetModel, { teamId, ...choice });
    } catch (error) {
      if (!(error instanceof GavelError)) throw error;
    }
  }
}
