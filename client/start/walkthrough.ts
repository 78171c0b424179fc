import { commands, window } from "vscode";

/** Set by `npm start`: the first page is the walkthrough, as it is for users where VS Code has installed the extension. */
const SHOW = "GAVEL_WALKTHROUGH";

/** Shows the walkthrough as the first page, if the window was opened for that and no editor is open. */
export async function showFirstPage(extensionId: string): Promise<void> {
  if (process.env[SHOW] !== "1" || window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) return;
  await commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#start`, false);
}

/** Completes a step of the walkthrough that no command completes. */
export function completeStep(step: "messaged" | "decided"): void {
  void commands.executeCommand("setContext", `gavel.walkthrough.${step}`, true);
}
