import type { BackgroundCommand } from "../../../shared/contract/background-command.ts";
import { commandEndText, shortCommand, starterOf } from "../../../shared/text/command-text.ts";

/** The background commands of a team as a participant's model is told of them; empty without any. */
export function commandsText(commands: readonly BackgroundCommand[]): string {
  if (commands.length === 0) return "";
  const lines = commands.map((one) => {
    const state = one.end === undefined ? "runs" : commandEndText(one.end);
    return `- ${one.id} (started by ${starterOf(one)}, ${state}): ${JSON.stringify(shortCommand(one.command, 200))}`;
  });
  return `Background commands of the team, at the beginning of your turn. Read or stop them with commandOutput.\n${lines.join("\n")}`;
}
