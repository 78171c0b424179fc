import { notify } from "../dialogs/notify.ts";
import type { TeamActions } from "./team-actions.ts";

const CONTINUE = "Continue";

/** Says what was done to a partial message, and offers to continue the run. */
export async function offerToContinue(actions: TeamActions, done: string): Promise<void> {
  const question = `${done} Do you want to continue ${actions.team.name}?`;
  if ((await notify("info", question, CONTINUE)) === CONTINUE) await actions.run();
}
