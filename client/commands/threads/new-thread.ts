import { Uri } from "vscode";
import type { Command } from "../command.ts";

/** Starts a new thread of the active team, beside the present one. An empty thread is used as it is. */
export const newThread: Command = async ({ actions, opener, chat, run }) => {
  await opener.restore();
  if (actions.session === undefined) return run("gavel.openTeamFile");
  const { uri, teamId, threadLength, status } = actions.team;
  const isEmpty = threadLength === 0 && status === "idle";
  if (!isEmpty && uri !== undefined) await opener.openFile(Uri.parse(uri, true));
  else if (!isEmpty) await opener.copyEmpty(teamId);
  await chat.focus();
};
