import type { LogOutputChannel } from "vscode";
import { commands, env, Uri, window } from "vscode";
import { messageOf } from "../../shared/contract/errors.ts";
import { StorageResolve, TeamPreviewInterrupt } from "../../shared/contract/requests.ts";
import type { ApprovalDialog } from "../approval/approval-dialog.ts";
import type { CallCards } from "../approval/call-cards.ts";
import { acceptAll, decideOnCard } from "../approval/card-decisions.ts";
import type { ProposedChanges } from "../approval/proposed-changes.ts";
import type { Attached } from "../common/attachments.ts";
import type { FromPage, StartWay } from "../common/page-messages.ts";
import { slashCommands } from "../common/slash-commands.ts";
import { openResource } from "../context/open-resource.ts";
import { pickContext } from "../context/pick-context.ts";
import type { CommandId } from "../contributions.ts";
import { pickHandoff } from "../dialogs/pick-handoff.ts";
import { runErrorAction } from "../errors/run-error-action.ts";
import { changeByCode } from "../files/apply-code.ts";
import { fileTargets } from "../files/find-file.ts";
import { openPath } from "../files/open-path.ts";
import { insertCode, openCode } from "../files/use-code.ts";
import type { WorkFolder } from "../files/work-folders.ts";
import { fileNamed, requireInWorkspace } from "../files/workspace-file.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { TeamOpener } from "../open-teams/team-opener.ts";
import { samples } from "../start/samples.ts";
import type { Notices } from "../status/notices.ts";
import { interruptBehavior } from "../text/interrupt-text.ts";
import { attachTo } from "./attach-to.ts";
import type { PageUpdates } from "./page-updates.ts";
import { type SendServices, sendDraft } from "./send-draft.ts";
import { usePrompt } from "./use-prompt.ts";

/**
 * What the handlers of a page's messages work with. `actions`, `approval` and `run` are for the team that the page showed
 * when it posted the message.
 */
export interface PageServices extends SendServices {
  readonly log: LogOutputChannel;
  readonly updates: PageUpdates;
  readonly host: HostProcess;
  readonly opener: TeamOpener;
  readonly approval: ApprovalDialog;
  readonly cards: CallCards;
  readonly proposals: ProposedChanges;
  readonly notices: Notices;
  /** Posts what surrounds the team: the list of open teams, and the notice. */
  readonly showFrame: () => void;
  /** Runs a command; a failure is shown to the user. */
  readonly run: (id: CommandId, argument?: unknown) => Promise<void>;
}

const changeCommands = {
  view: "gavel.viewChanges",
  keep: "gavel.keepAllChanges",
  undo: "gavel.undoAllChanges",
} as const satisfies Readonly<Record<string, CommandId>>;

type Handlers = {
  readonly [T in FromPage["type"]]: (
    message: Extract<FromPage, { type: T }>,
    services: PageServices,
  ) => PromiseLike<unknown> | unknown;
};

const handlers: Handlers = {
  ready: async (_message, { updates, opener, session, showFrame }) => {
    showFrame();
    if (session.mirror === undefined) updates.showHost();
    else updates.show();
    // A restored team is shown by the session; without one the page shows the welcome screen.
    await opener.restore().finally(() => session.mirror ?? updates.show());
  },
  // The view or the tab that holds the page has noted it.
  focus: () => undefined,
  dismissNotice: (_message, { notices, actions }) => notices.clear(actions.session),
  answer: ({ text, handoff }, services) =>
    sendDraft(
      { text, attachments: [] },
      () => services.actions.run(text, handoff === undefined ? {} : { handoff }),
      services,
    ),
  run: ({ text, delivery, attachments = [] }, services) =>
    sendDraft(
      { text, attachments },
      async (context) => {
        const { actions } = services;
        const choice = text === "" ? {} : await pickHandoff(actions.userParticipant);
        // If the list of handoffs is closed, the draft goes back to the composer.
        if (choice === undefined) return;
        const parts = [...context];
        if (delivery !== undefined && (actions.isRunning || actions.hasWaitingCalls))
          await actions.sendToTeam(text, { delivery, ...(parts.length === 0 ? {} : { context: parts }) });
        else await actions.run(text, { ...choice, context });
      },
      services,
    ),
  send: ({ to, text, delivery, onlyTarget, attachments = [] }, services) =>
    sendDraft(
      { text: `@${to} ${text}`, attachments },
      (context) =>
        services.actions.send(to, text, {
          ...(delivery === undefined ? {} : { delivery }),
          ...(onlyTarget ? { visibility: "target" } : {}),
          ...(context.length === 0 ? {} : { context: [...context] }),
        }),
      services,
    ),
  draft: ({ teamId, draft }, { drafts, chat }) => drafts.set(teamId, draft, chat),
  writing: ({ teamId, isWriting }, { updates }) => updates.setWriting(teamId, isWriting),
  restoreDraft: ({ teamId, draft }, { drafts }) => drafts.restore(teamId, draft),
  attach: async ({ type: _, request, ...what }, services) => {
    const { teamId } = services.actions.team;
    await attachTo(teamId, await attachedBy(what, services.context, teamId), services, request);
  },
  readImage: async ({ uri }, { chat, context }) =>
    chat.post({ type: "imageContent", uri, ...(await context.imageContent(uri)) }),
  selectModel: (_message, { run }) => run("gavel.selectModel"),
  pickContext: async (_message, services) => {
    const { chat, context, actions, session } = services;
    const { teamId } = actions.team;
    const attached = await pickContext(context, teamId);
    if (attached === undefined) return;
    if (session.state?.teamId === teamId) await chat.focus(attached);
    else await attachTo(teamId, attached, services);
  },
  searchFiles: async ({ query }, { chat, context, actions }) =>
    chat.post({ type: "matchingFiles", query, files: await context.find(query, actions.session?.state?.teamId) }),
  openResource: (message, { context, actions }) =>
    openResource(message, actions.place.folders, (uri) => context.isPasted(uri), context.servers),
  listOffers: async (_message, { chat, context, actions }) =>
    chat.post({ type: "offers", servers: await context.servers.offers(actions.session?.state?.teamId) }),
  usePrompt: ({ server, prompt }, services) => usePrompt(server, prompt, services),
  slashCommand: ({ name }, { run }) => run(slashCommands[name].command),
  interrupt: ({ type, ...how }, { actions }) => actions.interrupt(how),
  keepRunning: (_message, { actions }) => actions.keepRunning(),
  interruptWith: (_message, { run }) => run("gavel.interruptWith"),
  previewInterrupt: postInterruptPreview,
  queue: ({ edit, withdraw, order }, { actions }) =>
    actions.changeQueue({
      ...(edit === undefined ? {} : { edit: { id: edit.id, messages: [edit.text] } }),
      ...(withdraw === undefined ? {} : { withdraw: [withdraw] }),
      ...(order === undefined ? {} : { order: [...order] }),
    }),
  stopCommand: ({ id }, { run }) => run("gavel.stopCommand", id),
  showCommandOutput: ({ id }, { run }) => run("gavel.showCommandOutput", id),
  editPlan: ({ to, items, was }, { actions }) => actions.editPlan(to, items, was),
  restoreContext: ({ to }, { actions }) => actions.restoreContext(to),
  editPartial: ({ messageId }, { run }) => run("gavel.editPartial", messageId),
  dropPartial: ({ messageId }, { run }) => run("gavel.dropPartial", messageId),
  restoreCheckpoint: ({ messageId }, { run }) => run("gavel.restoreCheckpoint", messageId),
  fork: (_message, { run }) => run("gavel.forkTeam"),
  stop: (_message, { actions }) => actions.stop(),
  image: async ({ uri }, { chat, actions }) => chat.showImage(uri, await workspaceImage(uri, actions.place.folders)),
  // A call that is decided by now has no card: its card is about to go.
  showCall: ({ ref }, { cards, actions }) => cards.show(actions, ref),
  decide: ({ ref, digest, decision }, services) => decideOnCard(services, ref, digest, decision),
  acceptAll: ({ calls }, services) => acceptAll(services, calls),
  openDiff: ({ ref }, { actions, proposals }) => proposals.open(actions, ref),
  reviewCall: ({ ref }, { approval }) => approval.review(ref),
  openResult: ({ ref }, { run }) => run("gavel.editToolResult", ref),
  earlier: async ({ before }, { chat, actions }) => {
    const { session, team } = actions;
    const { teamId } = team;
    chat.post({ type: "earlier", teamId, events: (await session?.earlier(teamId, before)) ?? [] });
  },
  openFile: async ({ uri }, { actions }) => {
    const { folders } = actions.place;
    await window.showTextDocument(await requireInWorkspace(fileNamed(uri, folders), folders));
  },
  changes: ({ action }, { run }) => run(changeCommands[action]),
  openTeam: ({ uri }, { run }) => run("gavel.openTeamFile", fileNamed(uri)),
  openStored: ({ teamId }, { opener }) => opener.openStored(teamId),
  switchTeam: ({ teamId }, { run }) => run("gavel.switchTeam", teamId),
  closeTeam: ({ teamId }, { run }) => run("gavel.closeTeam", teamId),
  openTeamPicker: (_message, { run }) => run("gavel.openTeamFile"),
  start: ({ way }, { run }) => startBy[way](run),
  copy: ({ text }) => env.clipboard.writeText(text),
  openLink: ({ href }) => openLink(href),
  interruptReasoning: ({ participant, path }, { run }) => run("gavel.interruptReasoning", { participant, path }),
  insertCode: ({ code }) => insertCode(code),
  applyCode: async ({ code, paths }, { proposals, actions }) => {
    const change = await changeByCode(code, paths, actions.place.folders);
    if (change !== undefined) await proposals.openCode(change);
  },
  openCode: ({ code, language }) => openCode(code, language),
  findFiles: async ({ paths }, { chat, actions }) =>
    chat.post({ type: "files", files: await fileTargets(paths, actions.place.folders) }),
  openPath: ({ path, beside, keepFocus }, { actions }) =>
    openPath(path, { beside: beside === true, keepFocus: keepFocus === true }, actions.place.folders),
  storage: ({ action }, { host }) => host.request(StorageResolve, { action }),
  errorAction: (message, { run, notices, actions }) => {
    notices.clear(actions.session);
    return runErrorAction(message, run);
  },
};

/** What an `attach` attaches. A failure is a problem of it: the page waits for each answer. */
async function attachedBy(
  { uris, source, content, resource }: Omit<Extract<FromPage, { type: "attach" }>, "type" | "request">,
  context: PageServices["context"],
  teamId: string,
): Promise<Attached> {
  try {
    if (uris !== undefined) return await context.attachFiles(uris);
    if (source !== undefined) return await context.attachSource(source);
    if (content !== undefined) return await context.attachContent(content);
    if (resource !== undefined) return await context.attachResource(teamId, resource);
    return { attachments: [] };
  } catch (error) {
    return { attachments: [], problems: [messageOf(error)] };
  }
}

/** What each way to start does. */
const startBy: Readonly<Record<StartWay, (run: PageServices["run"]) => PromiseLike<unknown>>> = {
  sample: (run) => run("gavel.trySample", samples[0].id),
  moreSamples: (run) => run("gavel.trySample"),
  oneAgent: (run) => run("gavel.startWithOneAgent"),
  newTeam: (run) => run("gavel.newTeam"),
  checkSetup: (run) => run("gavel.checkSetup"),
  openFolder: () => commands.executeCommand("vscode.openFolder"),
};

/** Does what the page asks; a failure is shown to the user, not thrown. */
export async function handlePageMessage<T extends FromPage>(message: T, services: PageServices): Promise<void> {
  services.log.debug(`The chat page posted "${message.type}".`);
  try {
    await callHandler(message, services);
  } catch (error) {
    services.notices.report(error, services.actions.session);
  }
}

function callHandler<T extends FromPage["type"]>(
  message: Extract<FromPage, { type: T }>,
  services: PageServices,
): unknown {
  const handler: Handlers[T] = handlers[message.type as T];
  return handler(message, services);
}

async function postInterruptPreview(_message: unknown, { chat, host, actions }: PageServices): Promise<void> {
  const { teamId } = actions.team;
  const { tools } = await host.request(TeamPreviewInterrupt, { teamId });
  chat.post({
    type: "interruptPreview",
    teamId,
    calls: Object.fromEntries(tools.map((tool) => [tool.ref, interruptBehavior(tool)])),
  });
}

/** The image that a message names, if it is a file in the team's folders. The message may come from a model. */
async function workspaceImage(name: string, folders: readonly WorkFolder[]): Promise<Uri | undefined> {
  try {
    return await requireInWorkspace(Uri.parse(name, true), folders);
  } catch {
    return undefined;
  }
}

/** Opens web addresses only; VS Code itself asks the user first. */
async function openLink(href: string): Promise<void> {
  const uri = Uri.parse(href, true);
  if (uri.scheme !== "http" && uri.scheme !== "https")
    throw new Error(`"${href}" is not a web address. The chat opens only http and https links.`);
  await env.openExternal(uri);
}
