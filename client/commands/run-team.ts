import { askText } from "../dialogs/ask-text.ts";
import { requireTrust } from "../trust.ts";
import type { Command } from "./command.ts";

/** Asks for a task and runs the team on it; without a task the team continues from its thread. */
export const runTeam: Command = async ({ actions, opener }, argument) => {
  requireTrust();
  await opener.restore();
  const { name, threadLength } = actions.team;
  const task =
    typeof argument === "string"
      ? argument
      : await askText({
          title: `Run ${name}`,
          prompt: threadLength > 0 ? "The task; leave it empty to continue from the thread." : "The task.",
          placeHolder: "What should the team do?",
          ignoreFocusOut: true,
        });
  if (task !== undefined) await actions.run(task);
};

/** Continues the run from the thread. */
export const continueTeam: Command = async ({ actions, opener }) => {
  await opener.restore();
  await actions.run();
};
