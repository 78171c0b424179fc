import { forgetApiKey, setApiKey } from "./api-keys.ts";
import type { Command } from "./command.ts";
import { focusChat, restartHost, retry, showLog } from "./host.ts";
import { interrupt, stopAfterTurn } from "./interrupt.ts";
import { messageParticipant } from "./message-participant.ts";
import { openStoredTeam } from "./open-stored-team.ts";
import { openTeamFile } from "./open-team-file.ts";
import { resetTeam } from "./reset-team.ts";
import { answerTool, approveTool, denyTool } from "./rule-on-tool.ts";
import { continueTeam, runTeam } from "./run-team.ts";

/** Every command, by its id in package.json; `npm run check` fails when the two lists differ. */
export const commandTable: Readonly<Record<string, Command>> = {
  "gavel.openTeamFile": openTeamFile,
  "gavel.openStoredTeam": openStoredTeam,
  "gavel.runTeam": runTeam,
  "gavel.continueTeam": continueTeam,
  "gavel.interrupt": interrupt,
  "gavel.stopAfterTurn": stopAfterTurn,
  "gavel.messageParticipant": messageParticipant,
  "gavel.approveTool": approveTool,
  "gavel.denyTool": denyTool,
  "gavel.answerTool": answerTool,
  "gavel.resetTeam": resetTeam,
  "gavel.focusChat": focusChat,
  "gavel.setApiKey": setApiKey,
  "gavel.forgetApiKey": forgetApiKey,
  "gavel.restartHost": restartHost,
  "gavel.retry": retry,
  "gavel.showLog": showLog,
};
