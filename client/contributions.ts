/**
 * The names that package.json contributes and the code uses. The compiler holds the code to these lists, and `npm run
 * check` holds them to package.json. Users have keybindings and settings by these names: a name that must change keeps
 * its old one working.
 */
export const commandIds = [
  "gavel.trySample",
  "gavel.startWithOneAgent",
  "gavel.newTeam",
  "gavel.checkSetup",
  "gavel.openTeamFile",
  "gavel.editTeamFile",
  "gavel.openStoredTeam",
  "gavel.newThread",
  "gavel.renameThread",
  "gavel.exportThread",
  "gavel.decideRequest",
  "gavel.showRequest",
  "gavel.openInEditor",
  "gavel.moveChat",
  "gavel.switchTeam",
  "gavel.closeTeam",
  "gavel.runTeam",
  "gavel.continueTeam",
  "gavel.interrupt",
  "gavel.interruptWith",
  "gavel.stopAfterTurn",
  "gavel.keepRunning",
  "gavel.interruptReasoning",
  "gavel.stopCommand",
  "gavel.showCommandOutput",
  "gavel.messageParticipant",
  "gavel.waitingMessages",
  "gavel.editPartial",
  "gavel.dropPartial",
  "gavel.approveTool",
  "gavel.denyTool",
  "gavel.answerTool",
  "gavel.acceptChange",
  "gavel.rejectChange",
  "gavel.editToolResult",
  "gavel.reviewToolResults",
  "gavel.approvalRules",
  "gavel.undoEdits",
  "gavel.openChange",
  "gavel.viewChanges",
  "gavel.keepChanges",
  "gavel.keepAllChanges",
  "gavel.undoChanges",
  "gavel.undoAllChanges",
  "gavel.groupChangesByTurn",
  "gavel.groupChangesByFile",
  "gavel.keepTurn",
  "gavel.undoTurn",
  "gavel.showTurn",
  "gavel.keepHunk",
  "gavel.undoHunk",
  "gavel.showLineAuthor",
  "gavel.restoreCheckpoint",
  "gavel.forkTeam",
  "gavel.inspectTeam",
  "gavel.resetTeam",
  "gavel.addToChat",
  "gavel.focusChat",
  "gavel.findInThread",
  "gavel.selectModel",
  "gavel.selectParticipantModel",
  "gavel.addParticipant",
  "gavel.removeParticipant",
  "gavel.replaceParticipant",
  "gavel.summarizeContext",
  "gavel.newTeamFromAgents",
  "gavel.setRole",
  "gavel.handOverChair",
  "gavel.setApprovers",
  "gavel.setApiKey",
  "gavel.forgetApiKey",
  "gavel.allowedEndpoints",
  "gavel.allowedPrograms",
  "gavel.mcpServers",
  "gavel.restartHost",
  "gavel.stopHost",
  "gavel.retry",
  "gavel.showLog",
  "gavel.reportProblem",
] as const;

export type CommandId = (typeof commandIds)[number];

/** The views, by the names that the code uses. */
export const viewIds = {
  chat: "gavel.chat",
  participants: "gavel.participants",
  approvals: "gavel.approvals",
  changes: "gavel.changes",
} as const;

/** The places of the views, by the names that VS Code gives to the containers of package.json. */
export const viewContainers = {
  sideBar: "workbench.view.extension.gavel",
  secondarySideBar: "workbench.view.extension.gavelSecondary",
} as const;

/** The type of the editor tabs that hold a chat; also in package.json (`onWebviewPanel`). */
export const panelType = "gavel.chatEditor";

/** The context keys that say how the active team is, in the order in which they are set. */
export const teamKeys = [
  "gavel.status",
  "gavel.hasPendingTools",
  "gavel.stopRequested",
  "gavel.hasThread",
  "gavel.hasQueued",
  "gavel.hasPartial",
  "gavel.hasUsers",
  "gavel.hostState",
  "gavel.hasChanges",
  "gavel.changedFiles",
  "gavel.teamOpen",
] as const;

export type TeamKey = (typeof teamKeys)[number];

/** True once the diff of a proposed change has been there for a while. */
export const SETTLED_KEY = "gavel.changeSettled";

/** Whether the changes view groups by turn. */
export const BY_TURN_KEY = "gavel.changesByTurn";

/** All context keys of the `when` and `enablement` clauses in package.json. */
export const contextKeys = [...teamKeys, SETTLED_KEY, BY_TURN_KEY] as const;
