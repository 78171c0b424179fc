import { TeamRename } from "../../../shared/contract/requests.ts";
import { LIMITS } from "../../../shared/limits.ts";
import { threadName } from "../../../shared/text/thread-name.ts";
import { askText } from "../../dialogs/ask-text.ts";
import type { Command, Services } from "../command.ts";

/** Asks for another name of the active thread. */
export const renameThread: Command = async (services) => {
  await services.opener.restore();
  await renameWithQuestion(services, services.actions.team);
};

/** Asks for another name of a thread. Without one it has the name of its team again. */
export async function renameWithQuestion(
  { host }: Pick<Services, "host">,
  team: { readonly teamId: string; readonly name: string; readonly title?: string | undefined },
): Promise<void> {
  const { teamId, name } = team;
  const given = await askText({
    title: "Rename Thread",
    prompt: `Leave it empty to use the team's name, ${name}`,
    value: threadName(team),
    validateInput: (text) =>
      text.trim().length > LIMITS.title ? `The name is longer than ${LIMITS.title} characters. Shorten it.` : null,
  });
  if (given === undefined) return;
  const title = given.trim();
  await host.request(TeamRename, { teamId, title: title === "" || title === name ? null : title });
}
