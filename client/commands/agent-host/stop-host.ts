import { askModal } from "../../dialogs/ask-modal.ts";
import { notify } from "../../dialogs/notify.ts";
import type { Command } from "../command.ts";
import { runningTeams, runsText } from "./running-teams.ts";

const STOP = "Stop Host";

/**
 * Ends the agent host that keeps running for this window's teams. Asks first if that interrupts a run, or may do so as the
 * host could not be joined; in that case this window then starts one that it can use.
 */
export const stopHost: Command = async (services) => {
  const { host } = services;
  const { reached } = host;
  if (reached !== undefined && !reached.keepsRunning) {
    const where = reached.isOwn ? "this window" : "the window or terminal that has started it";
    await notify("info", `The agent host does not keep running: it ends with ${where}.`);
    return;
  }
  const running = reached === undefined ? undefined : await runningTeams(services);
  if (running === undefined || running.length > 0) {
    const chosen = await askModal("Do you want to stop the agent host?", runsText(running), STOP);
    if (chosen !== STOP) return;
  }
  // A connection that closes drops what it has not handled yet: the end of these runs is to be shown.
  const open = (running ?? []).flatMap(({ teamId }) => services.teams.find(teamId) ?? []);
  await Promise.allSettled(open.map((session) => services.actionsFor(session).interrupt()));
  const hasEnded = await host.end();
  if (reached === undefined) await host.restart();
  else if (!hasEnded) await notify("info", "The agent host has ended already.");
};
