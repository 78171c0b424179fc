import { askModal } from "../../dialogs/ask-modal.ts";
import type { Command, Services } from "../command.ts";
import { runningTeams, runsText } from "./running-teams.ts";

const RESTART = "Restart Host";
const CONNECT = "Connect Again";

/** Restarts the agent host; the open teams are restored. Asks first where that concerns other windows or terminals. */
export const restartHost: Command = async (services) => {
  const { host } = services;
  if (await mayRestart(services)) await host.restart();
};

async function mayRestart(services: Services): Promise<boolean> {
  const { reached } = services.host;
  if (reached === undefined) return true;
  if (reached.keepsRunning) {
    const runs = runsText(await runningTeams(services));
    const detail = `Other windows and terminals may use it: they lose the connection for a moment. ${runs}`;
    return (await askModal("Do you want to restart the agent host?", detail, RESTART)) === RESTART;
  }
  if (!reached.isOwn) {
    const question = "The agent host belongs to another window or to a terminal.";
    const detail = "Restart it there. This window can only connect to it again, which interrupts nothing.";
    return (await askModal(question, detail, CONNECT)) === CONNECT;
  }
  const others =
    (await runningTeams(services))?.filter(({ teamId }) => services.teams.find(teamId) === undefined) ?? [];
  if (others.length === 0) return true;
  const detail = `They are not open in this window, but may be in another that uses this host. ${runsText(others)}`;
  return (await askModal("Do you want to interrupt other teams, too?", detail, RESTART)) === RESTART;
}
