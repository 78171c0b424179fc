import { threadName } from "../../../shared/text/thread-name.ts";
import { notify } from "../../dialogs/notify.ts";
import { requireTrust } from "../../trust.ts";
import type { Command } from "../command.ts";

const BACK = "Back to Original";

/** Copies the open team in its present state and shows the copy; the original is not changed. */
export const forkTeam: Command = async ({ actions, opener, chat }) => {
  requireTrust();
  await opener.restore();
  const { teamId } = actions.team;
  const name = threadName(actions.team);
  await opener.fork(teamId);
  await chat.focus();
  const choice = await notify(
    "info",
    `You are now in a fork of ${name}. The original is among the recent threads.`,
    BACK,
  );
  if (choice === BACK) await opener.openStored(teamId);
};
