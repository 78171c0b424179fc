import { threadName } from "../../../shared/text/thread-name.ts";
import { askModal } from "../../dialogs/ask-modal.ts";
import type { TeamSession } from "../../session/team-session.ts";
import type { Command, Services } from "../command.ts";

const INTERRUPT = "Interrupt and Close";
const KEEP = "Close and Keep Running";

/** Stops showing a team, the active one or the one with the given id. Its thread stays among the recent ones. */
export const closeTeam: Command = async (services, argument) => {
  const { teams } = services;
  await services.opener.restore();
  const isFailure = teams.failure !== undefined && argument === teams.failure.uri;
  if (isFailure || (argument === undefined && teams.active === undefined)) return teams.clearFailure();
  const named = typeof argument === "string" ? teams.find(argument) : services.actions.session;
  if (named !== undefined) await closeWithQuestion(services, named);
};

/** Closes a team; of one that is running, asks first what is to become of its run. */
export async function closeWithQuestion(
  { teams, actionsFor }: Pick<Services, "teams" | "actionsFor">,
  session: TeamSession,
): Promise<void> {
  if (session.state?.status === "running") {
    const choice = await askModal(
      `${threadName(session.state)} is still running. Do you want to interrupt it?`,
      "If you keep it running, you find it among the recent threads, and are not told when it ends or needs you.",
      KEEP,
      INTERRUPT,
    );
    if (choice === undefined) return;
    if (choice === INTERRUPT) await actionsFor(session).interrupt();
  }
  teams.close(session);
}
