import type { TeamStatus } from "../../shared/contract/team.ts";

/** What decides whether a command is offered: as the `enablement` clauses of package.json. */
export interface CommandContext {
  readonly status: TeamStatus;
  readonly hasThread: boolean;
  readonly hasPendingTools: boolean;
  readonly isStopping: boolean;
  readonly hasQueued: boolean;
  readonly hasPartial: boolean;
}

interface SlashCommand {
  readonly command: `gavel.${string}`;
  readonly description: string;
  readonly isOffered: (context: CommandContext) => boolean;
}

const isRunning = ({ status }: CommandContext): boolean => status === "running" || status === "interrupting";
const atRest = (context: CommandContext): boolean => !isRunning(context);
const always = (): boolean => true;

/** The commands that a `/` at the start of a draft offers, in the order in which they are listed. */
export const slashCommands = {
  interrupt: {
    command: "gavel.interrupt",
    description: "Stop the team now; everything is kept",
    isOffered: (context) => isRunning(context) || context.status === "awaitingTools",
  },
  stop: {
    command: "gavel.stopAfterTurn",
    description: "Stop after this turn",
    isOffered: ({ status, isStopping }) => (status === "running" || status === "awaitingTools") && !isStopping,
  },
  keep: {
    command: "gavel.keepRunning",
    description: "Keep running after this turn",
    isOffered: ({ isStopping }) => isStopping,
  },
  continue: {
    command: "gavel.continueTeam",
    description: "Continue from where the team stopped",
    isOffered: ({ status, hasThread }) => hasThread && (status === "idle" || status === "paused"),
  },
  approve: {
    command: "gavel.approveTool",
    description: "Review the tool call that waits",
    isOffered: ({ status, hasPendingTools }) => hasPendingTools && status === "awaitingTools",
  },
  waiting: {
    command: "gavel.waitingMessages",
    description: "Edit, move or withdraw waiting messages",
    isOffered: ({ hasQueued }) => hasQueued,
  },
  partial: {
    command: "gavel.editPartial",
    description: "Edit the interrupted message",
    isOffered: (context) => context.hasPartial && atRest(context),
  },
  undo: { command: "gavel.undoEdits", description: "Undo the last turn's edits to files", isOffered: atRest },
  fork: { command: "gavel.forkTeam", description: "Fork the team with its thread", isOffered: atRest },
  new: { command: "gavel.newThread", description: "Start a new thread with this team", isOffered: always },
  switch: { command: "gavel.switchTeam", description: "Show another open team", isOffered: always },
  find: {
    command: "gavel.findInThread",
    description: "Find text in the thread",
    isOffered: ({ hasThread }) => hasThread,
  },
  export: {
    command: "gavel.exportThread",
    description: "Export the thread as Markdown",
    isOffered: ({ hasThread }) => hasThread,
  },
  reset: {
    command: "gavel.resetTeam",
    description: "Empty the thread, and start over in it",
    isOffered: (context) => context.hasThread && atRest(context),
  },
  inspect: { command: "gavel.inspectTeam", description: "Show the team's state in detail", isOffered: always },
  rules: { command: "gavel.approvalRules", description: "Show the approval rules", isOffered: always },
  model: {
    command: "gavel.selectModel",
    description: "Select the model of the team or a participant",
    isOffered: always,
  },
  mcp: {
    command: "gavel.mcpServers",
    description: "Show the MCP servers; the prompts of those that run are listed here",
    isOffered: always,
  },
  summarize: {
    command: "gavel.summarizeContext",
    description: "Summarize a participant's earlier messages",
    isOffered: ({ hasThread }) => hasThread,
  },
  open: { command: "gavel.openTeamFile", description: "Open a team", isOffered: always },
  threads: { command: "gavel.openStoredTeam", description: "Open an earlier thread", isOffered: always },
  log: { command: "gavel.showLog", description: "Show the log", isOffered: always },
} as const satisfies Readonly<Record<string, SlashCommand>>;

export type SlashCommandName = keyof typeof slashCommands;

export const slashCommandNames = Object.keys(slashCommands) as SlashCommandName[];

/** The commands that can be run now and whose names start with what is typed. */
export function offeredCommands(typed: string, context: CommandContext): readonly SlashCommandName[] {
  const wanted = typed.toLowerCase();
  return slashCommandNames.filter((name) => name.startsWith(wanted) && slashCommands[name].isOffered(context));
}
