import { window } from "vscode";
import type { TeamActions } from "./team-actions.ts";

const CONTINUE = "Continue";

/** Says what has been done to a message that was cut short, and goes on with the team if the user wants it. */
export async function offerToContinue(actions: TeamActions, done: string): Promise<void> {
  const question = `${done} Shall ${actions.team.name} go on?`;
  if ((await window.showInformationMessage(question, CONTINUE)) === CONTINUE) await actions.run();
}
