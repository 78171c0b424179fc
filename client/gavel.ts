import type { Disposable, ExtensionContext, WebviewPanel, WebviewView } from "vscode";
import { env, version, window, workspace } from "vscode";
import { TeamDelete } from "../shared/contract/requests.ts";
import { stopHost } from "../socket/stop-host.ts";
import { ApprovalDialog } from "./approval/approval-dialog.ts";
import { CallCards } from "./approval/call-cards.ts";
import { ProposedChanges } from "./approval/proposed-changes.ts";
import { AuthorHover } from "./changes/author-hover.ts";
import { AuthorMarks } from "./changes/author-marks.ts";
import { ChangeDiffs } from "./changes/change-diffs.ts";
import { ChangeGrouping } from "./changes/change-grouping.ts";
import { ChangesView } from "./changes/changes-view.ts";
import { HunkLenses } from "./changes/hunk-lenses.ts";
import { LineAuthors } from "./changes/line-authors.ts";
import { ShownChanges } from "./changes/shown-changes.ts";
import type { ChatPanel } from "./chat/chat-panel.ts";
import { ChatPanels } from "./chat/chat-panels.ts";
import { ChatView } from "./chat/chat-view.ts";
import { handlePageMessage } from "./chat/page-message-handlers.ts";
import { PageTeams } from "./chat/page-teams.ts";
import { PageUpdates } from "./chat/page-updates.ts";
import { runCommand } from "./commands/run-command.ts";
import type { ErrorAction } from "./common/error-actions.ts";
import { ChatContext } from "./context/chat-context.ts";
import { PastedFiles } from "./context/pasted-files.ts";
import { ServerContext } from "./context/server-context.ts";
import { TerminalOutput } from "./context/terminal-output.ts";
import type { CommandId } from "./contributions.ts";
import { Disposables } from "./disposables.ts";
import { runErrorAction } from "./errors/run-error-action.ts";
import { TeamFileProblems } from "./errors/team-file-problems.ts";
import { WorkFolders } from "./files/work-folders.ts";
import { Credentials } from "./host/credentials.ts";
import { hostOptions, storagePathOf, tellStorePlace, versionOf } from "./host/host-options.ts";
import { HostProcess } from "./host/host-process.ts";
import { offerRestart } from "./host/keep-running-setting.ts";
import { Programs } from "./host/programs.ts";
import { ServerInputs } from "./host/server-inputs.ts";
import { WindowClaim } from "./host/window-claim.ts";
import { connectWindow } from "./host/window-host.ts";
import { Drafts } from "./messages/drafts.ts";
import { MessageDocuments } from "./messages/message-documents.ts";
import { KnownModelNames } from "./models/known-models.ts";
import { ActiveTeam } from "./open-teams/active-team.ts";
import { ChangedAgentFiles } from "./open-teams/changed-agent-files.ts";
import { CorrectedFiles } from "./open-teams/corrected-files.ts";
import { DeletedThreads } from "./open-teams/deleted-threads.ts";
import { OpenTeams } from "./open-teams/open-teams.ts";
import { pinnedTeam } from "./open-teams/pinned-team.ts";
import { RememberedTeams } from "./open-teams/remembered-teams.ts";
import { RestoredTeams } from "./open-teams/restored-teams.ts";
import { TeamOpener } from "./open-teams/team-opener.ts";
import { UnreadMessages } from "./open-teams/unread-messages.ts";
import { ReadOnlyDocuments } from "./read-only-documents.ts";
import { ProblemReports } from "./report/problem-reports.ts";
import { RecentLines, recordedLog } from "./report/recent-lines.ts";
import { offerToContinue } from "./session/offer-to-continue.ts";
import { TeamActions } from "./session/team-actions.ts";
import type { TeamSession } from "./session/team-session.ts";
import { ownTeamFiles } from "./start/own-teams.ts";
import { completeSteps, showFirstPage } from "./start/walkthrough.ts";
import { ApprovalNotifications } from "./status/approval-notifications.ts";
import { ApprovalsView } from "./status/approvals-view.ts";
import { ContextKeys } from "./status/context-keys.ts";
import { FailureNotifications } from "./status/failure-notifications.ts";
import { Notices } from "./status/notices.ts";
import { ParticipantsView } from "./status/participants-view.ts";
import { QuestionNotifications } from "./status/question-notifications.ts";
import { RunEndNotifications } from "./status/run-end-notifications.ts";
import { StatusBar } from "./status/status-bar.ts";
import { SystemNotifications } from "./status/system-notifications.ts";
import { TeamFileEditing } from "./team-files/team-file-editing.ts";
import { TEAM_FILE_DOCUMENTS } from "./team-files/team-files.ts";
import { hostTools } from "./tools/host-tools.ts";

/** The extension, once it is loaded. */
export interface Gavel {
  /** Runs a command; a failure is shown to the user. */
  run(id: CommandId, argument: unknown, selected: unknown): Promise<void>;
  /** Loads the chat page into its view. */
  showChat(view: WebviewView): Promise<void>;
  /** Restores an editor tab after a reload; `stored` is what its page has stored. */
  restorePanel(panel: WebviewPanel, stored: unknown): Promise<void>;
  /** Shuts the agent host down. */
  stop(): Promise<void>;
  dispose(): void;
}

export function createGavel(context: ExtensionContext): Gavel {
  const own = new Disposables();
  const recent = new RecentLines();
  const log = recordedLog(own.add(window.createOutputChannel("Gavel", { log: true })), recent);
  log.info(environmentText(context));
  own.add(workspace.onDidGrantWorkspaceTrust(() => log.info("The workspace is trusted now.")));
  const terminal = own.add(new TerminalOutput());
  const credentials = new Credentials(context.secrets, context.globalState, log);
  const inputs = new ServerInputs(context.secrets, context.globalState);
  const programs = new Programs(context.globalState, context.workspaceState, log);
  const claim = new WindowClaim(storagePathOf(context));
  const host = own.add(
    new HostProcess(
      log,
      connectWindow(() =>
        hostOptions(context, log, { credentials, programs, inputs }, claim.id, TEAM_FILE_DOCUMENTS, folders, (client) =>
          hostTools(client, terminal, log),
        ),
      ),
      () => stopHost(storagePathOf(context)),
    ),
  );
  own.add(host.onStateChanged((state) => state === "ready" && tellStorePlace(context, log)));
  const folders = new WorkFolders(context.globalStorageUri);
  const pageFolders = { extension: context.extensionUri, scratch: folders.scratch };
  const teams = own.add(new OpenTeams(host, folders.of));
  const active = own.add(new ActiveTeam(teams));
  const problems = own.add(new TeamFileProblems());
  const deleted = new DeletedThreads(context.workspaceState, async (teamId) => {
    await host.request(TeamDelete, { teamId });
  });
  const restored = own.add(new RestoredTeams(teams, new RememberedTeams(context.workspaceState)));
  const opener = new TeamOpener(host, teams, restored, deleted, problems);
  own.add(new CorrectedFiles(teams, opener, (error) => notices.report(error)));
  own.add(new ChangedAgentFiles(teams, host, opener, (error) => notices.report(error)));
  const noTeam = {
    failure: () => teams.failure,
    stored: () => opener.stored(),
    ownTeamFiles: () => ownTeamFiles(folders.teams),
  };
  const documents = own.add(new ReadOnlyDocuments());
  const drafts = own.add(new Drafts(context.workspaceState));
  const chat = own.add(new ChatView(pageFolders));
  const models = own.add(new KnownModelNames());
  const pasted = new PastedFiles(context.storageUri ?? context.globalStorageUri);
  const chatContext = new ChatContext(host, pasted, folders, terminal, new ServerContext(host, documents));
  const isSeen = (session: TeamSession): boolean => (chat.visible && teams.active === session) || panels.shows(session);
  const unread = own.add(new UnreadMessages(teams, isSeen));
  own.add(chat.onVisibilityChanged(() => unread.update(teams.all)));
  const runAction = (action: ErrorAction, team: TeamSession | undefined): Promise<void> => {
    const ofTeam = (): TeamSession | undefined => team;
    return runErrorAction(action, runFor(ofTeam));
  };
  const attachPanel = (surface: ChatPanel, session: TeamSession): Disposable => {
    const scope = new Disposables();
    const updates = scope.add(
      new PageUpdates(surface, session, host, drafts, noTeam, scope.add(new ShownChanges(host, session)), models),
    );
    const services = { updates, session, drafts, showFrame: () => undefined };
    scope.add(cards.onChanged(({ teamId, card }) => surface.post({ type: "callCard", teamId, card })));
    scope.add(
      surface.onMessage(({ message }) => {
        void handlePageMessage(message, { ...servicesFor(() => session), ...services, chat: surface });
        unread.update(teams.all);
      }),
    );
    return scope;
  };
  const panels = own.add(new ChatPanels(pageFolders, teams, opener, attachPanel));
  const notices = own.add(new Notices(chat, teams, runAction, log));
  const actionsFor = (session: TeamSession): TeamActions => new TeamActions(host, () => session);
  const messages = own.add(
    new MessageDocuments(
      teams,
      (teamId) => new TeamActions(host, () => teams.find(teamId)),
      () => opener.restore(),
    ),
  );
  const cards = own.add(new CallCards());
  const proposals = own.add(new ProposedChanges(cards));
  own.add(teams.onStateChanged(() => cards.prune()));
  own.add(cards.onChanged(({ teamId, card }) => chat.post({ type: "callCard", teamId, card })));
  const changes = own.add(new ShownChanges(host, active));
  const diffs = own.add(new ChangeDiffs(host, changes));
  const grouping = own.add(new ChangeGrouping(context.workspaceState));
  own.add(new ChangesView(changes, grouping));
  own.add(new HunkLenses(host, changes));
  const authors = new LineAuthors(host, active, changes);
  own.add(new AuthorMarks(active, changes, authors));
  own.add(new AuthorHover(authors));
  const shared = {
    log,
    changes,
    diffs,
    grouping,
    authors,
    host,
    teams,
    unread,
    deleted,
    opener,
    folders,
    extension: { uri: context.extensionUri, version: versionOf(context) },
    credentials,
    programs,
    inputs,
    context: chatContext,
    chat,
    panels,
    notices,
    documents,
    reports: new ProblemReports(context, host, teams, recent),
    messages,
    cards,
    proposals,
    actionsFor,
  };
  const servicesFor = (team: () => TeamSession | undefined) => {
    const actions = new TeamActions(host, team);
    const run = runFor(team);
    const editResult = (ref: string): Promise<void> => run("gavel.editToolResult", ref);
    return { ...shared, actions, approval: new ApprovalDialog(actions, documents, log, editResult), run };
  };
  const runFor = (team: () => TeamSession | undefined) => (id: CommandId, argument?: unknown, selected?: unknown) =>
    runCommand(id, servicesFor(team), argument, selected);
  own.add(new ContextKeys(active, host, changes));
  own.add(new TeamFileEditing(host));
  own.add(new StatusBar(active, host, versionOf(context)));
  own.add(offerRestart(host, () => runFor(() => undefined)("gavel.restartHost")));
  own.add(
    new ApprovalNotifications({
      teams,
      isSeen,
      onSeenChanged: chat.onVisibilityChanged,
      review: (session, ref) => {
        teams.activate(session);
        void runFor(() => session)("gavel.approveTool", ref);
      },
    }),
  );
  own.add(
    new QuestionNotifications(teams, isSeen, (session) => {
      teams.activate(session);
      void chat.focus();
    }),
  );
  own.add(new ApprovalsView(teams));
  own.add(
    new RunEndNotifications(teams, (session) => {
      teams.activate(session);
      void chat.focus();
    }),
  );
  own.add(new SystemNotifications(teams));
  own.add(new FailureNotifications(teams, host, isSeen, notices));
  own.add(
    new ParticipantsView(active, models, () => void opener.restore().catch((error: unknown) => notices.report(error))),
  );
  const updates = own.add(new PageUpdates(chat, active, host, drafts, noTeam, changes, models));
  own.add(chat.onVisibilityChanged(() => chat.visible || updates.stopWriting()));
  const pageTeams = own.add(new PageTeams((message) => chat.post(message), teams, unread));
  own.add(active.onShown(() => notices.update()));
  const showFrame = (): void => {
    pageTeams.show();
    notices.update();
  };
  const page = { updates, session: active, drafts, showFrame };
  own.add(
    chat.onMessage(({ teamId, message }) => {
      const team = teamId === undefined ? pinnedTeam(teams) : () => teams.find(teamId);
      return handlePageMessage(message, { ...page, ...servicesFor(team) });
    }),
  );
  own.add(
    messages.onSaved(({ kind, teamId }) => {
      if (kind !== "partial") return;
      const actions = new TeamActions(host, () => teams.find(teamId));
      offerToContinue(actions, "The partial message was edited.").catch((error: unknown) => notices.report(error));
    }),
  );
  own.add(completeSteps(teams));
  void showFirstPage(context.extension.id);
  return {
    run: (id, argument, selected) => runFor(pinnedTeam(teams))(id, argument, selected),
    showChat: async (view) => chat.show(view),
    restorePanel: (panel, stored) => panels.restore(panel, stored),
    stop: async () => {
      claim.release();
      await deleted.finishAll();
      await host.stop();
    },
    dispose: () => own.dispose(),
  };
}

/** The versions and the workspace, for bug reports. */
function environmentText(context: ExtensionContext): string {
  const folders = workspace.workspaceFolders?.length ?? 0;
  const where = `${process.platform} ${process.arch}${env.remoteName === undefined ? "" : `, remote ${env.remoteName}`}`;
  const trust = workspace.isTrusted ? "trusted" : "in Restricted Mode";
  return `Gavel ${versionOf(context)} in VS Code ${version} on ${where}; ${folders} workspace folders, ${trust}.`;
}
