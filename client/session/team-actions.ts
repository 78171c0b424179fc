import type { ApprovalScope, ApprovalSubject } from "../../shared/contract/approval.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import type { ToolPreview } from "../../shared/contract/inspection.ts";
import type { ContentPart } from "../../shared/contract/message.ts";
import type { ParamsOf, ResultOf } from "../../shared/contract/message-type.ts";
import type { Approvers, Role } from "../../shared/contract/people.ts";
import type { PlanItem } from "../../shared/contract/plan.ts";
import {
  ApprovalsAdd,
  ApprovalsSuggest,
  TeamCommandOutput,
  TeamEditMessage,
  TeamEditPlan,
  TeamInterrupt,
  TeamPreviewTool,
  TeamQueue,
  TeamResolveTools,
  TeamRestoreContext,
  TeamRun,
  TeamSendUserMessage,
  TeamSetApprovers,
  TeamSetRole,
  TeamStop,
  TeamStopCommand,
  TeamSummarizeContext,
} from "../../shared/contract/requests.ts";
import type { InterruptReceipt, ParticipantInfo, PendingTool } from "../../shared/contract/team.ts";
import { editedResult, waitingResultOf } from "../../shared/reviewed-result.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { userParticipantOf } from "../common/run-pause.ts";
import { ActionableError } from "../errors/actionable-error.ts";
import type { TeamFolders } from "../files/work-folders.ts";
import { HostGoneError } from "../host/host-errors.ts";
import type { HostProcess } from "../host/host-process.ts";
import { requireTrust } from "../trust.ts";
import { identicalCalls } from "./identical-calls.ts";
import type { TeamSession } from "./team-session.ts";

/** The user's decision on a pending tool call. */
export type ToolCallDecision =
  /** `preview` is the digest of the change that the user was shown: the call makes exactly this one, or none. */
  | { readonly how: "approve"; readonly preview?: string | undefined }
  /** Runs the call with another input. */
  | { readonly how: "edit"; readonly input: unknown }
  /** For a command that failed in the sandbox: runs it again without. */
  | { readonly how: "runOutside" }
  | { readonly how: "deny"; readonly reason?: string | undefined }
  | { readonly how: "respond"; readonly output: unknown };

/** What an interrupt stops, and when and how. What is left out has the host's default. */
export type UserInterruptOptions = Pick<ParamsOf<typeof TeamInterrupt>, "scope" | "severity" | "grace">;

/** When a message to a running team is delivered, and who sees it. Default: now, and all participants. */
export type UserMessageOptions = Pick<ParamsOf<typeof TeamSendUserMessage>, "delivery" | "visibility" | "context">;

/** Who speaks after a user participant, and what the user attached to the task. */
export interface RunOptions {
  readonly handoff?: string;
  readonly context?: readonly ContentPart[];
}

/** How long an approval rule applies. */
export type ApprovalRuleScope = Exclude<ApprovalScope, "once">;

/** A change to the waiting messages. */
export type QueueEdit = Omit<ParamsOf<typeof TeamQueue>, "teamId">;

/**
 * What a user can do with a team. Each method resolves when the host has done it; a run resolves when it has
 * ended, and events report what happens until then. All throw the host's errors unchanged.
 */
export class TeamActions {
  readonly #host: HostProcess;
  readonly #session: () => TeamSession | undefined;

  /** @param session the team; it is asked each time, as a team may be restored first. */
  constructor(host: HostProcess, session: () => TeamSession | undefined) {
    this.#host = host;
    this.#session = session;
  }

  /** The open team; undefined when there is none. */
  get session(): TeamSession | undefined {
    return this.#session();
  }

  /** Where the open team works; nowhere when there is none. */
  get place(): TeamFolders {
    return this.session?.place ?? { folders: [], isScratch: false };
  }

  /** The state of the open team. @throws ActionableError when there is none. */
  get team(): TeamState {
    const state = this.session?.state;
    if (state !== undefined) return state;
    throw new ActionableError("No team is open. Open a team or a recent thread.", {
      label: "Open Team",
      command: "openTeam",
    });
  }

  /** The id of the user of this window. */
  get user(): string {
    return this.#host.people.user;
  }

  /** Whether a run is in progress, even if it is being interrupted. */
  get isRunning(): boolean {
    const { status } = this.team;
    return status === "running" || status === "interrupting";
  }

  /** Whether calls wait for the user. */
  get hasWaitingCalls(): boolean {
    return this.team.pendingTools.length > 0;
  }

  /** The user participant whose turn it is, if any: the next task is what it says. */
  get userParticipant(): ParticipantInfo | undefined {
    return userParticipantOf(this.team);
  }

  /** Starts a run; without a task it continues from the thread. `handoff`: who speaks after a user participant. */
  async run(task?: string, { handoff, context = [] }: RunOptions = {}): Promise<void> {
    requireTrust();
    const { teamId } = this.team;
    const text = task?.trim() ?? "";
    const said = context.length === 0 ? text : [{ type: "text" as const, text }, ...context];
    const params = text === "" ? {} : { task: said, ...(handoff === undefined ? {} : { handoff }) };
    await ignoringHostExit(this.#host.request(TeamRun, { teamId, ...params }));
  }

  /**
   * Sends a message to one participant. A running team continues after the reply. An idle team, or one whose run the
   * message waits for, pauses after it, as a question to one participant should not start all others. While calls wait, it
   * is answered beside them; to a participant whose own calls wait, it waits for the decision.
   */
  async send(to: string, message: string, how: UserMessageOptions = {}): Promise<void> {
    requireTrust();
    const { teamId } = this.team;
    const next = this.isRunning && how.delivery !== "queue" ? "continue" : "pause";
    // biome-ignore lint/suspicious/noThenProperty: the name of the field in the protocol
    const params = { teamId, to, messages: message, then: next, ...this.#besideCalls(to), ...how } as const;
    await ignoringHostExit(this.#host.request(TeamSendUserMessage, params));
  }

  /**
   * Sends a message to the whole team: now, which interrupts it and goes on with the message, before the next turn
   * (`steer`), or after the run (`queue`).
   */
  async sendToTeam(message: string, how: Pick<UserMessageOptions, "delivery" | "context"> = {}): Promise<void> {
    requireTrust();
    const { teamId } = this.team;
    await ignoringHostExit(this.#host.request(TeamSendUserMessage, { teamId, messages: message, ...how }));
  }

  /** The delivery of a message that names none, which must be said while calls wait. */
  #besideCalls(to: string): Pick<UserMessageOptions, "delivery"> {
    if (!this.hasWaitingCalls) return {};
    const places = this.team.pendingTools.map(({ path = [], participant }) => [...path, participant].join("/"));
    const waits = places.some((place) => place === to || place.startsWith(`${to}/`));
    return { delivery: waits ? "queue" : "now" };
  }

  /**
   * Interrupts the team or a part of it. Partial messages are kept, and the run can continue, unless `how` says
   * otherwise.
   */
  interrupt(how: UserInterruptOptions = {}): Promise<InterruptReceipt> {
    return this.#host.request(TeamInterrupt, { teamId: this.team.teamId, ...how, reason: "user_request" });
  }

  /** Ends a background command. Resolves when it has ended. */
  async stopCommand(id: string): Promise<void> {
    requireTrust();
    await this.#host.request(TeamStopCommand, { teamId: this.team.teamId, id });
  }

  /** The output of a background command; with `after`, what comes after that character, once there is some. */
  commandOutput(id: string, after?: number): Promise<ResultOf<typeof TeamCommandOutput>> {
    const which = after === undefined ? {} : { after, wait: true };
    return this.#host.request(TeamCommandOutput, { teamId: this.team.teamId, id, ...which });
  }

  /** Replaces the plan of a participant. @throws GavelError when it is not `was` any more. */
  async editPlan(to: string, items: readonly PlanItem[], was: readonly PlanItem[]): Promise<void> {
    requireTrust();
    const { teamId } = this.team;
    await this.#host.request(TeamEditPlan, { teamId, to, items: [...items], was: [...was] });
  }

  /** Has the context of a participant summarized before its next turn. @throws GavelError for one that does not grow. */
  async summarizeContext(to: string): Promise<void> {
    requireTrust();
    await this.#host.request(TeamSummarizeContext, { teamId: this.team.teamId, to });
  }

  /** Undoes the summary of a participant's context. @throws GavelError where there is none. */
  async restoreContext(to: string): Promise<void> {
    requireTrust();
    await this.#host.request(TeamRestoreContext, { teamId: this.team.teamId, to });
  }

  /** Edits, moves or withdraws waiting messages. @throws GavelError when one of them is no longer waiting. */
  async changeQueue(change: QueueEdit): Promise<void> {
    await this.#host.request(TeamQueue, { teamId: this.team.teamId, ...change });
  }

  /** Edits a partial message, or with null removes it from the thread. @throws GavelError while the team is running. */
  async editMessage(messageId: string, content: string | null): Promise<void> {
    await this.#host.request(TeamEditMessage, { teamId: this.team.teamId, messageId, content });
  }

  /** What a pending call would do to a file, or why it would fail; null if its tool has no preview. */
  previewTool(ref: string): Promise<ToolPreview> {
    return this.#host.request(TeamPreviewTool, { teamId: this.team.teamId, ref });
  }

  /** Ends a paused run and keeps the thread. */
  async stop(): Promise<void> {
    await this.#host.request(TeamInterrupt, { teamId: this.team.teamId, severity: "stop", reason: "user_request" });
  }

  /** Ends the run after the current turn. */
  async stopAfterTurn(): Promise<void> {
    await this.#host.request(TeamStop, { teamId: this.team.teamId });
  }

  /** Lets a run go on that {@link stopAfterTurn} was to end. */
  async keepRunning(): Promise<void> {
    await this.#host.request(TeamStop, { teamId: this.team.teamId, withdraw: true });
  }

  async reset(): Promise<void> {
    await this.session?.reset(this.team.teamId);
  }

  /** Resolves a pending call and all identical ones; `edit`, `respond` and `runOutside` resolve only the one. */
  async resolveToolCalls(ref: string, decision: ToolCallDecision): Promise<void> {
    requireTrust();
    const { teamId } = this.team;
    const isForOne = decision.how !== "approve" && decision.how !== "deny";
    const refs = isForOne ? [ref] : this.identicalCalls(ref).map((call) => call.ref);
    await ignoringHostExit(this.#host.request(TeamResolveTools, { teamId, ...answer(refs, decision) }));
  }

  /**
   * Sends a text in place of the result that waits for review; resolves when it is sent, and the team goes on.
   * @throws Error when the result waits no more, or is JSON and the text is none.
   */
  async sendEditedResult(ref: string, text: string): Promise<void> {
    const call = this.pendingCall(ref);
    const result = call === undefined ? undefined : waitingResultOf(call);
    if (result === undefined) throw new Error("This result has already been sent or withheld.");
    const sent = this.resolveToolCalls(ref, { how: "respond", output: editedOf(result.output, text) });
    const taken = Promise.withResolvers<void>();
    const listening = this.session?.onStateChanged(() => {
      if (this.pendingCall(ref) === undefined) taken.resolve();
    });
    try {
      await Promise.race([sent, taken.promise]);
    } finally {
      listening?.dispose();
      // The run that goes on tells of its own end.
      sent.catch(() => {});
    }
  }

  /** The rules that would allow a pending call without asking: each choice is a list of rules, the narrowest first. */
  async suggestedRules(ref: string): Promise<readonly (readonly ApprovalSubject[])[]> {
    const { choices } = await this.#host.request(ApprovalsSuggest, { teamId: this.team.teamId, ref });
    return choices.map(({ rules }) => rules);
  }

  /**
   * Adds rules that allow calls without asking, and resolves this call; the host resolves the other calls that they
   * allow.
   */
  async addApprovalRules(
    ref: string,
    rules: readonly ApprovalSubject[],
    scope: ApprovalRuleScope,
    preview?: string,
  ): Promise<void> {
    requireTrust();
    const shown = preview === undefined ? {} : { shown: { teamId: this.team.teamId, ref, preview } };
    const team = scope === "run" ? { team: this.team.teamId } : {};
    const answered: string[] = [];
    for (const rule of rules) {
      const added = await this.#host.request(ApprovalsAdd, {
        rule: { ...rule, ...team, decision: "allow", scope },
        ...shown,
      });
      answered.push(...added.answered);
    }
    if (!answered.includes(ref) && this.pendingCall(ref) !== undefined)
      await this.resolveToolCalls(ref, { how: "approve", preview });
  }

  /** Changes the role of a user; without one, of those who open the team for the first time. */
  async setRole(teamId: string, role: Role, user?: string): Promise<void> {
    await this.#host.request(TeamSetRole, { teamId, role, ...(user === undefined ? {} : { user }) });
  }

  /** Says how many users have to approve a call, and whose approvals count. */
  async setApprovers(teamId: string, approvers: Approvers): Promise<void> {
    await this.#host.request(TeamSetApprovers, { teamId, ...approvers });
  }

  /** The pending calls that are identical to this one, itself among them. */
  identicalCalls(ref: string): readonly PendingTool[] {
    const call = this.pendingCall(ref);
    return call === undefined ? [] : identicalCalls(call, this.team.pendingTools);
  }

  /** Whether this team is still the one that is open, and the call pending in it. */
  isPending(teamId: string, ref: string): boolean {
    return this.session?.state?.teamId === teamId && this.pendingCall(ref) !== undefined;
  }

  /** The pending call with that ref; undefined if it has been resolved. */
  pendingCall(ref: string): PendingTool | undefined {
    return this.session?.state?.pendingTools.find((call) => call.ref === ref);
  }
}

/** @throws Error in one sentence for a text that is no JSON, in place of a result that is. */
function editedOf(before: unknown, text: string): unknown {
  try {
    return editedResult(before, text);
  } catch (error) {
    throw new Error(`The result is JSON, and the edited one is not; correct it and send it again: ${messageOf(error)}`);
  }
}

function answer(refs: readonly string[], decision: ToolCallDecision) {
  switch (decision.how) {
    case "approve":
      return { restart: refs.map((ref) => ({ ref, ...shownMetadata(decision.preview) })) };
    case "edit":
      return { restart: refs.map((ref) => ({ ref, input: decision.input })) };
    case "runOutside":
      return { restart: refs.map((ref) => ({ ref, metadata: { outsideSandbox: true } })) };
    case "deny":
      return {
        deny: refs.map((ref) => ({ ref, ...(decision.reason === undefined ? {} : { reason: decision.reason }) })),
      };
    case "respond":
      return { respond: refs.map((ref) => ({ ref, output: decision.output })) };
  }
}

const shownMetadata = (preview: string | undefined) => (preview === undefined ? {} : { metadata: { preview } });

/** Ignores that the host exited during a run: the team is restored as interrupted, and the chat shows why. */
async function ignoringHostExit(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof HostGoneError)) throw error;
  }
}
