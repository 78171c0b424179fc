import type { TeamSummary } from "../../../shared/contract/team.ts";
import { notify } from "../../dialogs/notify.ts";
import type { Services } from "../command.ts";

const UNDO = "Undo";

/**
 * Hides a thread and offers to undo that. It is deleted for good when the offer is closed, or with the window; until then
 * nothing is lost.
 */
export async function deleteThread(
  services: Services,
  team: Pick<TeamSummary, "teamId" | "name" | "title">,
): Promise<void> {
  const { teams, actionsFor, deleted, notices } = services;
  const { teamId } = team;
  const open = teams.find(teamId);
  if (open?.state?.status === "running") await actionsFor(open).interrupt();
  await deleted.hide(teamId);
  if (open !== undefined) teams.close(open);
  offerUndo(services, team, open !== undefined).catch((error: unknown) => notices.report(error));
}

async function offerUndo(
  { opener, deleted }: Services,
  { teamId, name, title }: Pick<TeamSummary, "teamId" | "name" | "title">,
  wasOpen: boolean,
): Promise<void> {
  const what = title === undefined ? `A thread of ${name}` : `The thread ${title}`;
  if ((await notify("info", `${what} was deleted.`, UNDO)) !== UNDO) return deleted.finish(teamId);
  if ((await deleted.restore(teamId)) && wasOpen) await opener.openStored(teamId);
}
