import type { LogOutputChannel, Uri } from "vscode";
import type { ApprovalDialog } from "../approval/approval-dialog.ts";
import type { CallCards } from "../approval/call-cards.ts";
import type { ProposedChanges } from "../approval/proposed-changes.ts";
import type { ChangeDiffs } from "../changes/change-diffs.ts";
import type { ChangeGrouping } from "../changes/change-grouping.ts";
import type { LineAuthors } from "../changes/line-authors.ts";
import type { ShownChanges } from "../changes/shown-changes.ts";
import type { ChatPanels } from "../chat/chat-panels.ts";
import type { ChatView } from "../chat/chat-view.ts";
import type { ChatContext } from "../context/chat-context.ts";
import type { CommandId } from "../contributions.ts";
import type { WorkFolders } from "../files/work-folders.ts";
import type { Credentials } from "../host/credentials.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { Programs } from "../host/programs.ts";
import type { ServerInputs } from "../host/server-inputs.ts";
import type { MessageDocuments } from "../messages/message-documents.ts";
import type { DeletedThreads } from "../open-teams/deleted-threads.ts";
import type { OpenTeams } from "../open-teams/open-teams.ts";
import type { TeamOpener } from "../open-teams/team-opener.ts";
import type { UnreadMessages } from "../open-teams/unread-messages.ts";
import type { ReadOnlyDocuments } from "../read-only-documents.ts";
import type { ProblemReports } from "../report/problem-reports.ts";
import type { TeamActions } from "../session/team-actions.ts";
import type { TeamSession } from "../session/team-session.ts";
import type { Notices } from "../status/notices.ts";

/**
 * What commands work with. `actions` and `approval` are for the team that was active when the command first asked, also
 * after the user has switched to another.
 */
export interface Services {
  readonly log: LogOutputChannel;
  readonly host: HostProcess;
  readonly teams: OpenTeams;
  readonly unread: UnreadMessages;
  readonly deleted: DeletedThreads;
  /** What a user can do with one of the open teams. */
  readonly actionsFor: (session: TeamSession) => TeamActions;
  /** Runs another command, about the same team. */
  readonly run: (id: CommandId, argument?: unknown) => Promise<void>;
  readonly actions: TeamActions;
  readonly opener: TeamOpener;
  /** Where teams work, and the user's own team files. */
  readonly folders: WorkFolders;
  /** This extension's files. */
  readonly extension: { readonly uri: Uri; readonly version: string };
  readonly approval: ApprovalDialog;
  readonly cards: CallCards;
  readonly proposals: ProposedChanges;
  readonly chat: ChatView;
  readonly panels: ChatPanels;
  readonly credentials: Credentials;
  /** The programs that the user has allowed to be started. */
  readonly programs: Programs;
  /** What the user has entered for MCP servers. */
  readonly inputs: ServerInputs;
  readonly notices: Notices;
  /** What the shown team has changed in files, and diffs of that. */
  readonly changes: ShownChanges;
  readonly diffs: ChangeDiffs;
  /** How the changes view groups them. */
  readonly grouping: ChangeGrouping;
  /** Who wrote the lines of files. */
  readonly authors: LineAuthors;
  readonly documents: ReadOnlyDocuments;
  readonly messages: MessageDocuments;
  readonly reports: ProblemReports;
  readonly context: ChatContext;
}

/**
 * What a command does. `argument` comes from a menu, a keybinding, the page or another extension, so the command checks
 * it; without one it asks the user. `selected` is all that is selected in the view whose menu was used, `argument` among it.
 * What it throws is shown to the user.
 */
export type Command = (services: Services, argument: unknown, selected?: unknown) => PromiseLike<unknown> | unknown;
