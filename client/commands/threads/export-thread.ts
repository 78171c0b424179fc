import { window, workspace } from "vscode";
import { TeamInspect } from "../../../shared/contract/requests.ts";
import { eventsAfter } from "../../../shared/state/missing-events.ts";
import { stateFromSnapshot } from "../../../shared/state/team-state.ts";
import { threadMarkdown } from "../../../shared/text/thread-markdown.ts";
import type { Command, Services } from "../command.ts";

/** The events of a thread that are exported; of a longer one, the first. */
const MAX_EVENTS = 200_000;

/** Opens the active team's thread as a Markdown document, which the user can save. */
export const exportMarkdown: Command = async (services) => {
  await services.opener.restore();
  await exportThread(services, services.actions.team.teamId);
};

/** Opens a thread as an unsaved Markdown document. */
export async function exportThread(services: Services, teamId: string): Promise<void> {
  const content = await threadText(services, teamId);
  await window.showTextDocument(await workspace.openTextDocument({ language: "markdown", content }), {
    preview: false,
  });
}

/** A thread as Markdown. @throws as the requests do. */
export async function threadText({ host }: Pick<Services, "host">, teamId: string): Promise<string> {
  const snapshot = await host.request(TeamInspect, { teamId });
  const events = await eventsAfter(host, teamId, 0, MAX_EVENTS);
  return threadMarkdown(stateFromSnapshot(snapshot), events);
}
