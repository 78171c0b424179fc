import type { ExtensionContext, WebviewView } from "vscode";
import { window } from "vscode";
import { Approval } from "./approval/approval.ts";
import { ApprovalNotifier } from "./approval/approval-notifier.ts";
import { ChatView } from "./chat/chat-view.ts";
import { answerPage } from "./chat/page-requests.ts";
import { PageUpdates } from "./chat/page-updates.ts";
import { runCommand } from "./commands/run-command.ts";
import { ContextKeys } from "./context-keys.ts";
import { Disposables } from "./disposables.ts";
import { Notices } from "./errors/notices.ts";
import { runErrorAction } from "./errors/run-error-action.ts";
import { RunErrors } from "./errors/run-errors.ts";
import { TeamFileProblems } from "./errors/team-file-problems.ts";
import { Credentials } from "./host/credentials.ts";
import { hostOptions } from "./host/host-options.ts";
import { HostProcess } from "./host/host-process.ts";
import { ParticipantsView } from "./participants/participants-view.ts";
import { ReadOnlyDocuments } from "./read-only-documents.ts";
import { StatusBar } from "./status-bar.ts";
import { offerToContinue } from "./team/continue-offer.ts";
import { MessageDocuments } from "./team/message-documents.ts";
import { RememberedDelivery } from "./team/remembered-delivery.ts";
import { RememberedTeam } from "./team/remembered-team.ts";
import { TeamActions } from "./team/team-actions.ts";
import { TeamOpener } from "./team/team-opener.ts";
import { TeamSession } from "./team/team-session.ts";

/** The extension, put together. */
export interface Gavel {
  /** Does what a command's id stands for; a failure is told to the user. */
  run(id: string, argument: unknown): Promise<void>;
  /** Fills the chat view. */
  showChat(view: WebviewView): Promise<void>;
  /** Lets the agent host end in good order. */
  stop(): Promise<void>;
  dispose(): void;
}

export function createGavel(context: ExtensionContext): Gavel {
  const own = new Disposables();
  const log = own.add(window.createOutputChannel("Gavel", { log: true }));
  const credentials = new Credentials(context.secrets, context.globalState);
  const host = own.add(
    new HostProcess(() => hostOptions(context, log, (name, endpoint) => credentials.answer(name, endpoint))),
  );
  const session = own.add(new TeamSession(host));
  const actions = new TeamActions(host, session);
  const problems = own.add(new TeamFileProblems());
  const opener = new TeamOpener(host, session, actions, new RememberedTeam(context.workspaceState), problems);
  const documents = own.add(new ReadOnlyDocuments());
  const approval = new Approval(actions, documents);
  const messages = own.add(new MessageDocuments(session, actions, () => opener.restore()));
  const delivery = new RememberedDelivery(context.workspaceState);
  const chat = own.add(new ChatView(context.extensionUri));
  const notices = new Notices(chat, runErrorAction, () => session.state?.uri);
  const updates = own.add(new PageUpdates(chat, session, host));
  own.add(new ContextKeys(session, host));
  own.add(new StatusBar(session, host));
  own.add(new ApprovalNotifier(session));
  own.add(new RunErrors(session, host, chat, notices));
  own.add(new ParticipantsView(session, () => void opener.restore().catch((error: unknown) => notices.report(error))));
  const page = { chat, updates, host, session, actions, opener, approval, notices };
  own.add(chat.onMessage((message) => void answerPage(message, page)));
  const saved = (): Promise<void> =>
    offerToContinue(actions, "The partial message is written anew.").catch((error: unknown) => notices.report(error));
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
