import type { Uri } from "vscode";
import type { Services } from "../command.ts";

/** Opens a team file with an empty thread: a stored one that has no messages, else a new one. */
export async function openInNewThread({ opener }: Services, file: Uri): Promise<void> {
  const uri = file.toString();
  const empty = (await opener.stored()).find((team) => team.uri === uri && team.threadLength === 0);
  await opener.openFile(file, empty?.teamId);
}
