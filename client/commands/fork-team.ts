import { window } from "vscode";
import { requireTrust } from "../trust.ts";
import type { Command } from "./command.ts";

const BACK = "Back to the First One";

/** Makes another team of the one that is shown, as it stands, and shows that; the first one stays as it is. */
export const forkTeam: Command = async ({ actions, opener, chat }) => {
  requireTrust();
  await opener.restore();
  const { teamId } = actions.team;
  const { name } = await opener.fork();
  await chat.focus();
  const choice = await window.showInformationMessage(
    `The chat shows a fork of ${name}; the first one stays as it is, among the stored teams.`,
    BACK,
  );
  if (choice === BACK) await opener.openStored(teamId);
};
