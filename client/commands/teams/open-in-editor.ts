import type { Command } from "../command.ts";

/** Shows the active team's chat in an editor tab. */
export const openInEditor: Command = async ({ actions, opener, panels }) => {
  await opener.restore();
  const { session } = actions;
  if (session !== undefined) panels.open(session);
};
