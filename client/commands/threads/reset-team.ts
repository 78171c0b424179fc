import { countText } from "../../../shared/text/count-text.ts";
import { askModal } from "../../dialogs/ask-modal.ts";
import type { Command, Services } from "../command.ts";

const NEW_THREAD = "New Thread";
const RESET = "Reset Team";

/** Has the team forget its thread, after the user has confirmed it; the first offer is a new thread instead. */
export const resetTeam: Command = async ({ actions, opener, run }) => {
  await opener.restore();
  const detail = `${resetText(actions)} A new thread starts empty as well, and keeps this one.`;
  const choice = await askModal(`Reset ${actions.team.name}?`, detail, NEW_THREAD, RESET);
  if (choice === NEW_THREAD) await run("gavel.newThread");
  if (choice === RESET) await actions.reset();
};

/** What a reset does to the thread of a team, in sentences. */
export function resetText({ team }: Pick<Services["actions"], "team">): string {
  const messages = countText(team.threadLength, "message");
  return `The team forgets its whole thread of ${messages} and starts from nothing. You cannot undo this.`;
}
