import type { CommandId } from "../contributions.ts";
import { restartHost } from "./agent-host/restart-host.ts";
import { stopHost } from "./agent-host/stop-host.ts";
import { showCommandOutput, stopCommand } from "./background/background-commands.ts";
import {
  keepAllChanges,
  keepChanges,
  keepHunk,
  keepTurn,
  openChange,
  showTurn,
  undoAllChanges,
  undoChanges,
  undoHunk,
  undoTurn,
  viewChanges,
} from "./changes/change-commands.ts";
import { showLineAuthor } from "./changes/line-author.ts";
import type { Command } from "./command.ts";
import { findInThread, focusChat, retry, showLog } from "./host.ts";
import { interrupt, keepRunning, stopAfterTurn } from "./interrupts/interrupt.ts";
import { interruptReasoning } from "./interrupts/interrupt-reasoning.ts";
import { interruptWith } from "./interrupts/interrupt-with.ts";
import { addToChat } from "./messages/add-to-chat.ts";
import { messageParticipant } from "./messages/message-participant.ts";
import { dropPartialMessage, editPartialMessage } from "./messages/partial-message.ts";
import { waitingMessages } from "./messages/waiting-messages.ts";
import { allowedEndpoints } from "./models/allowed-endpoints.ts";
import { forgetApiKey, setApiKey } from "./models/api-keys.ts";
import { selectModel, selectParticipantModel } from "./models/select-model.ts";
import { addParticipant, removeParticipant, replaceParticipant } from "./participants/change-participants.ts";
import { summarizeContext } from "./participants/summarize-context.ts";
import { newTeamFromAgents } from "./participants/team-from-agents.ts";
import { handOverChair } from "./people/hand-over-chair.ts";
import { setApprovers } from "./people/set-approvers.ts";
import { setRole } from "./people/set-role.ts";
import { reportProblem } from "./report-problem.ts";
import { allowedPrograms } from "./start/allowed-programs.ts";
import { checkSetup } from "./start/check-setup.ts";
import { editTeamFile } from "./start/edit-team-file.ts";
import { mcpServers } from "./start/mcp-servers.ts";
import { newTeam } from "./start/new-team.ts";
import { startWithOneAgent } from "./start/one-agent.ts";
import { trySample } from "./start/samples.ts";
import { closeTeam } from "./teams/close-team.ts";
import { inspectOpenTeam } from "./teams/inspect-team.ts";
import { moveChat } from "./teams/move-chat.ts";
import { openInEditor } from "./teams/open-in-editor.ts";
import { openTeamFile } from "./teams/open-team-file.ts";
import { continueTeam, runTeam } from "./teams/run-team.ts";
import { switchTeam } from "./teams/switch-team.ts";
import { exportMarkdown } from "./threads/export-thread.ts";
import { forkTeam } from "./threads/fork-team.ts";
import { newThread } from "./threads/new-thread.ts";
import { openStoredTeam } from "./threads/recent-threads.ts";
import { renameThread } from "./threads/rename-thread.ts";
import { resetTeam } from "./threads/reset-team.ts";
import { restoreCheckpoint } from "./threads/restore-checkpoint.ts";
import { approvalRules } from "./tool-calls/approval-rules.ts";
import { acceptChange, rejectChange } from "./tool-calls/proposed-change.ts";
import { decideRequest, showRequest } from "./tool-calls/requests.ts";
import { answerTool, approveTool, denyTool } from "./tool-calls/resolve-tool-call.ts";
import { editToolResult, reviewToolResults } from "./tool-calls/tool-results.ts";
import { undoEdits } from "./tool-calls/undo-edits.ts";

/** What each command does. */
export const commandTable = {
  "gavel.trySample": trySample,
  "gavel.startWithOneAgent": startWithOneAgent,
  "gavel.newTeam": newTeam,
  "gavel.checkSetup": checkSetup,
  "gavel.openTeamFile": openTeamFile,
  "gavel.editTeamFile": editTeamFile,
  "gavel.openStoredTeam": openStoredTeam,
  "gavel.newThread": newThread,
  "gavel.renameThread": renameThread,
  "gavel.exportThread": exportMarkdown,
  "gavel.decideRequest": decideRequest,
  "gavel.showRequest": showRequest,
  "gavel.openInEditor": openInEditor,
  "gavel.moveChat": moveChat,
  "gavel.switchTeam": switchTeam,
  "gavel.closeTeam": closeTeam,
  "gavel.runTeam": runTeam,
  "gavel.continueTeam": continueTeam,
  "gavel.interrupt": interrupt,
  "gavel.interruptWith": interruptWith,
  "gavel.stopAfterTurn": stopAfterTurn,
  "gavel.keepRunning": keepRunning,
  "gavel.interruptReasoning": interruptReasoning,
  "gavel.stopCommand": stopCommand,
  "gavel.showCommandOutput": showCommandOutput,
  "gavel.messageParticipant": messageParticipant,
  "gavel.waitingMessages": waitingMessages,
  "gavel.editPartial": editPartialMessage,
  "gavel.dropPartial": dropPartialMessage,
  "gavel.approveTool": approveTool,
  "gavel.denyTool": denyTool,
  "gavel.answerTool": answerTool,
  "gavel.acceptChange": acceptChange,
  "gavel.rejectChange": rejectChange,
  "gavel.editToolResult": editToolResult,
  "gavel.reviewToolResults": reviewToolResults,
  "gavel.approvalRules": approvalRules,
  "gavel.undoEdits": undoEdits,
  "gavel.openChange": openChange,
  "gavel.viewChanges": viewChanges,
  "gavel.keepChanges": keepChanges,
  "gavel.keepAllChanges": keepAllChanges,
  "gavel.undoChanges": undoChanges,
  "gavel.undoAllChanges": undoAllChanges,
  "gavel.groupChangesByTurn": ({ grouping }) => grouping.set(true),
  "gavel.groupChangesByFile": ({ grouping }) => grouping.set(false),
  "gavel.keepTurn": keepTurn,
  "gavel.undoTurn": undoTurn,
  "gavel.showTurn": showTurn,
  "gavel.keepHunk": keepHunk,
  "gavel.undoHunk": undoHunk,
  "gavel.showLineAuthor": showLineAuthor,
  "gavel.restoreCheckpoint": restoreCheckpoint,
  "gavel.forkTeam": forkTeam,
  "gavel.inspectTeam": inspectOpenTeam,
  "gavel.resetTeam": resetTeam,
  "gavel.addToChat": addToChat,
  "gavel.focusChat": focusChat,
  "gavel.findInThread": findInThread,
  "gavel.selectModel": selectModel,
  "gavel.selectParticipantModel": selectParticipantModel,
  "gavel.addParticipant": addParticipant,
  "gavel.removeParticipant": removeParticipant,
  "gavel.replaceParticipant": replaceParticipant,
  "gavel.summarizeContext": summarizeContext,
  "gavel.newTeamFromAgents": newTeamFromAgents,
  "gavel.setRole": setRole,
  "gavel.handOverChair": handOverChair,
  "gavel.setApprovers": setApprovers,
  "gavel.setApiKey": setApiKey,
  "gavel.forgetApiKey": forgetApiKey,
  "gavel.allowedEndpoints": allowedEndpoints,
  "gavel.allowedPrograms": allowedPrograms,
  "gavel.mcpServers": mcpServers,
  "gavel.restartHost": restartHost,
  "gavel.stopHost": stopHost,
  "gavel.retry": retry,
  "gavel.showLog": showLog,
  "gavel.reportProblem": reportProblem,
} satisfies Readonly<Record<CommandId, Command>>;
