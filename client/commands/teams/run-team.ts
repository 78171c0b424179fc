import { threadName } from "../../../shared/text/thread-name.ts";
import { plainText } from "../../common/plain-text.ts";
import { askText } from "../../dialogs/ask-text.ts";
import { pickHandoff } from "../../dialogs/pick-handoff.ts";
import type { TeamActions } from "../../session/team-actions.ts";
import { requireTrust } from "../../trust.ts";
import type { Command } from "../command.ts";

/**
 * Asks for a task and runs the team on it; without a task the team continues from its thread. Where it is a user
 * participant's turn, the task is what it says, and the user chooses among its handoffs.
 */
export const runTeam: Command = async ({ actions, opener }, argument) => {
  requireTrust();
  await opener.restore();
  let task = typeof argument === "string" ? argument : await askTask(actions);
  // Closing the list of handoffs leads back to the text, so that it is not lost.
  while (task !== undefined) {
    const choice = task.trim() === "" ? {} : await pickHandoff(actions.userParticipant);
    if (choice !== undefined) return actions.run(task, choice);
    task = await askTask(actions, task);
  }
};

function askTask({ team, userParticipant }: TeamActions, value = ""): Thenable<string | undefined> {
  const options = { value, valueSelection: [value.length, value.length] as [number, number], ignoreFocusOut: true };
  if (userParticipant !== undefined) {
    const name = plainText(userParticipant.name);
    return askText({
      title: `Speak as ${name}`,
      prompt: `Your turn: your answer is sent as ${name}.`,
      placeHolder: `What does ${name} say?`,
      ...options,
    });
  }
  return askText({
    title: `Run ${threadName(team)}`,
    prompt: team.threadLength > 0 ? "The task; leave it empty to continue from the thread." : "The task.",
    placeHolder: "What should the team do?",
    ...options,
  });
}

/** Continues the run from the thread. */
export const continueTeam: Command = async ({ actions, opener }) => {
  await opener.restore();
  await actions.run();
};
