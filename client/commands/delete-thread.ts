import { notify } from "../dialogs/notify.ts";
import type { Services } from "./command.ts";

const UNDO = "Undo";

/**
 * Hides a thread and offers to undo that. It is deleted for good when the offer is closed, or with the window; until then
 * nothing is lost.
 */
export async function deleteThread(
  services: Services,
  { teamId, name }: { readonly teamId: string; readonly name: string },
): Promise<void> {
  const { teams, actionsFor, deleted, notices } = services;
  const open = teams.find(teamId);
  if (open?.state?.status === "running") await actionsFor(open).interrupt();
  await deleted.hide(teamId);
  if (open !== undefined) teams.close(open);
  offerUndo(services, teamId, name, open !== undefined).catch((error: unknown) => notices.report(error));
}

async function offerUndo({ opener, deleted }: Services, teamId: string, name: string, wasOpen: boolean): Promise<void> {
  if ((await notify("info", `A thread of ${name} was deleted.`, UNDO)) !== UNDO) return deleted.finish(teamId);
  if ((await deleted.restore(teamId)) && wasOpen) await opener.openStored(teamId);
}
