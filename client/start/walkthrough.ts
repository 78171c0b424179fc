import { commands, type Disposable, window } from "vscode";
import type { OpenTeams } from "../open-teams/open-teams.ts";
import { completedStep, stepKey, type WalkthroughStep } from "./walkthrough-steps.ts";

/** Set by `npm start`: the first page is the walkthrough, as it is for users where VS Code has installed the extension. */
const SHOW = "GAVEL_WALKTHROUGH";

/** Shows the walkthrough as the first page, if the window was opened for that and no editor is open. */
export async function showFirstPage(extensionId: string): Promise<void> {
  if (process.env[SHOW] !== "1" || window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) return;
  await commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#start`, false);
}

/** Completes the walkthrough's steps by what happens in the open teams, whichever way the user did it. */
export function completeSteps(teams: Pick<OpenTeams, "onEvents" | "user">): Disposable {
  return teams.onEvents(({ events }) => {
    for (const step of new Set(events.map((event) => completedStep(event, teams.user))))
      if (step !== undefined) void complete(step);
  });
}

/** Sets the key for a moment: one that is set already when VS Code first reads the walkthrough never completes its step. */
async function complete(step: WalkthroughStep): Promise<void> {
  await commands.executeCommand("setContext", stepKey(step), true);
  await commands.executeCommand("setContext", stepKey(step), undefined);
}
