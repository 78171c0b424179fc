import { countText } from "../common/count-text.ts";
import { askModal } from "../dialogs/ask-modal.ts";
import type { Command } from "./command.ts";

const RESET = "Reset Team";

/** Empties the thread, after the user has confirmed it. */
export const resetTeam: Command = async ({ actions, opener }) => {
  await opener.restore();
  const { name, threadLength } = actions.team;
  const detail = `Its thread of ${countText(threadLength, "message")} will be emptied. You cannot undo this.`;
  const choice = await askModal(`Reset ${name}?`, detail, RESET);
  if (choice === RESET) await actions.reset();
};
