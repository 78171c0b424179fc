import { threadName } from "../../shared/text/thread-name.ts";
import { notify } from "../dialogs/notify.ts";
import type { TeamActions } from "./team-actions.ts";

const CONTINUE = "Continue";

/** Says what was done to a partial message, and offers to continue the run. */
export async function offerToContinue(actions: TeamActions, done: string): Promise<void> {
  const question = `${done} Do you want to continue ${threadName(actions.team)}?`;
  if ((await notify("info", question, CONTINUE)) === CONTINUE) await actions.run();
}
