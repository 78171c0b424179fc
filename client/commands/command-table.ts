import type { CommandId } from "../contributions.ts";
import { addToChat } from "./add-to-chat.ts";
import { allowedEndpoints } from "./allowed-endpoints.ts";
import { forgetApiKey, setApiKey } from "./api-keys.ts";
import { approvalRules } from "./approval-rules.ts";
import { closeTeam } from "./close-team.ts";
import type { Command } from "./command.ts";
import { exportMarkdown } from "./export-thread.ts";
import { forkTeam } from "./fork-team.ts";
import { focusChat, restartHost, retry, showLog } from "./host.ts";
import { inspectOpenTeam } from "./inspect-team.ts";
import { interrupt, stopAfterTurn } from "./interrupt.ts";
import { interruptReasoning } from "./interrupt-reasoning.ts";
import { interruptWith } from "./interrupt-with.ts";
import { messageParticipant } from "./message-participant.ts";
import { newThread } from "./new-thread.ts";
import { openInEditor } from "./open-in-editor.ts";
import { openTeamFile } from "./open-team-file.ts";
import { dropPartialMessage, editPartialMessage } from "./partial-message.ts";
import { acceptChange, rejectChange } from "./proposed-change.ts";
import { openStoredTeam } from "./recent-threads.ts";
import { renameThread } from "./rename-thread.ts";
import { decideRequest, showRequest } from "./requests.ts";
import { resetTeam } from "./reset-team.ts";
import { answerTool, approveTool, denyTool } from "./resolve-tool-call.ts";
import { continueTeam, runTeam } from "./run-team.ts";
import { selectModel } from "./select-model.ts";
import { switchTeam } from "./switch-team.ts";
import { undoEdits } from "./undo-edits.ts";
import { waitingMessages } from "./waiting-messages.ts";

/** What each command does. */
export const commandTable = {
  "gavel.openTeamFile": openTeamFile,
  "gavel.openStoredTeam": openStoredTeam,
  "gavel.newThread": newThread,
  "gavel.renameThread": renameThread,
  "gavel.exportThread": exportMarkdown,
  "gavel.decideRequest": decideRequest,
  "gavel.showRequest": showRequest,
  "gavel.openInEditor": openInEditor,
  "gavel.switchTeam": switchTeam,
  "gavel.closeTeam": closeTeam,
  "gavel.runTeam": runTeam,
  "gavel.continueTeam": continueTeam,
  "gavel.interrupt": interrupt,
  "gavel.interruptWith": interruptWith,
  "gavel.stopAfterTurn": stopAfterTurn,
  "gavel.interruptReasoning": interruptReasoning,
  "gavel.messageParticipant": messageParticipant,
  "gavel.waitingMessages": waitingMessages,
  "gavel.editPartial": editPartialMessage,
  "gavel.dropPartial": dropPartialMessage,
  "gavel.approveTool": approveTool,
  "gavel.denyTool": denyTool,
  "gavel.answerTool": answerTool,
  "gavel.acceptChange": acceptChange,
  "gavel.rejectChange": rejectChange,
  "gavel.approvalRules": approvalRules,
  "gavel.undoEdits": undoEdits,
  "gavel.forkTeam": forkTeam,
  "gavel.inspectTeam": inspectOpenTeam,
  "gavel.resetTeam": resetTeam,
  "gavel.addToChat": addToChat,
  "gavel.focusChat": focusChat,
  "gavel.selectModel": selectModel,
  "gavel.setApiKey": setApiKey,
  "gavel.forgetApiKey": forgetApiKey,
  "gavel.allowedEndpoints": allowedEndpoints,
  "gavel.restartHost": restartHost,
  "gavel.retry": retry,
  "gavel.showLog": showLog,
} satisfies Readonly<Record<CommandId, Command>>;
