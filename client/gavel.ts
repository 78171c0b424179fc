import type { ExtensionContext, WebviewView } from "vscode";
import { env, version, window, workspace } from "vscode";
import { ApprovalDialog } from "./approval/approval-dialog.ts";
import { ChatView } from "./chat/chat-view.ts";
import { handlePageMessage } from "./chat/page-message-handlers.ts";
import { PageUpdates } from "./chat/page-updates.ts";
import { runCommand } from "./commands/run-command.ts";
import type { CommandId } from "./contributions.ts";
import { Disposables } from "./disposables.ts";
import { Notices } from "./errors/notices.ts";
import { runErrorAction } from "./errors/run-error-action.ts";
import { TeamFileProblems } from "./errors/team-file-problems.ts";
import { AgentHostConnection } from "./host/connection.ts";
import { Credentials } from "./host/credentials.ts";
import { hostOptions } from "./host/host-options.ts";
import { HostProcess } from "./host/host-process.ts";
import { ReadOnlyDocuments } from "./read-only-documents.ts";
import { ApprovalNotifications } from "./status/approval-notifications.ts";
import { ContextKeys } from "./status/context-keys.ts";
import { FailureNotifications } from "./status/failure-notifications.ts";
import { ParticipantsView } from "./status/participants-view.ts";
import { StatusBar } from "./status/status-bar.ts";
import { MessageDocuments } from "./team/message-documents.ts";
import { offerToContinue } from "./team/offer-to-continue.ts";
import { RememberedDelivery } from "./team/remembered-delivery.ts";
import { RememberedTeam } from "./team/remembered-team.ts";
import { TeamActions } from "./team/team-actions.ts";
import { TeamOpener } from "./team/team-opener.ts";
import { TeamSession } from "./team/team-session.ts";

/** The extension, once it is loaded. */
export interface Gavel {
  /** Runs a command; a failure is shown to the user. */
  run(id: CommandId, argument: unknown): Promise<void>;
  /** Loads the chat page into its view. */
  showChat(view: WebviewView): Promise<void>;
  /** Shuts the agent host down. */
  stop(): Promise<void>;
  dispose(): void;
}

export function createGavel(context: ExtensionContext): Gavel {
  const own = new Disposables();
  const log = own.add(window.createOutputChannel("Gavel", { log: true }));
  log.info(environmentText(context));
  own.add(workspace.onDidGrantWorkspaceTrust(() => log.info("The workspace is trusted now.")));
  const credentials = new Credentials(context.secrets, context.globalState, log);
  const host = own.add(
    new HostProcess(log, (listen, closed) => {
      return AgentHostConnection.start(hostOptions(context, log, credentials), listen, closed);
    }),
  );
  const session = own.add(new TeamSession(host));
  const actions = new TeamActions(host, session);
  const problems = own.add(new TeamFileProblems());
  const opener = new TeamOpener(host, session, actions, new RememberedTeam(context.workspaceState), problems, log);
  const documents = own.add(new ReadOnlyDocuments());
  const approval = new ApprovalDialog(actions, documents, log);
  const messages = own.add(new MessageDocuments(session, actions, () => opener.restore()));
  const delivery = new RememberedDelivery(context.workspaceState);
  const chat = own.add(new ChatView(context.extensionUri));
  const notices = new Notices(chat, runErrorAction, () => session.state?.uri, log);
  const updates = own.add(new PageUpdates(chat, session, host));
  own.add(new ContextKeys(session, host));
  own.add(new StatusBar(session, host));
  own.add(new ApprovalNotifications(session));
  own.add(new FailureNotifications(session, host, chat, notices));
  own.add(new ParticipantsView(session, () => void opener.restore().catch((error: unknown) => notices.report(error))));
  const page = { log, chat, updates, host, session, actions, opener, approval, notices };
  own.add(chat.onMessage((message) => void handlePageMessage(message, page)));
  const saved = (): Promise<void> =>
    offerToContinue(actions, "The partial message was edited.").catch((error: unknown) => notices.report(error));
  own.add(messages.onSaved(({ kind }) => kind === "partial" && void saved()));
  const shown = { chat, notices, documents, messages };
  const services = { log, host, session, actions, opener, approval, credentials, delivery, ...shown };
  return {
    run: (id, argument) => runCommand(id, services, argument),
    showChat: async (view) => chat.show(view),
    stop: () => host.stop(),
    dispose: () => own.dispose(),
  };
}

/** The versions and the workspace, for bug reports. */
function environmentText({ extension }: ExtensionContext): string {
  const folders = workspace.workspaceFolders?.length ?? 0;
  const { version: own }: { version: string } = extension.packageJSON;
  const where = `${process.platform} ${process.arch}${env.remoteName === undefined ? "" : `, remote ${env.remoteName}`}`;
  const trust = workspace.isTrusted ? "trusted" : "in Restricted Mode";
  return `Gavel ${own} in VS Code ${version} on ${where}; ${folders} workspace folders, ${trust}.`;
}
