import type { ApprovalScope, ApprovalSubject } from "../../shared/contract/approval.ts";
import type { ToolPreview } from "../../shared/contract/inspection.ts";
import type { ParamsOf } from "../../shared/contract/message-type.ts";
import {
  ApprovalsAdd,
  ApprovalsSuggest,
  TeamEditMessage,
  TeamInterrupt,
  TeamPreviewTool,
  TeamQueue,
  TeamResolveTools,
  TeamRun,
  TeamSendUserMessage,
  TeamStop,
} from "../../shared/contract/requests.ts";
import type { InterruptReceipt, PendingTool } from "../../shared/contract/team.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { ActionableError } from "../errors/actionable-error.ts";
import { HostGoneError } from "../host/host-errors.ts";
import type { HostProcess } from "../host/host-process.ts";
import { requireTrust } from "../trust.ts";
import { identicalCalls } from "./identical-calls.ts";
import type { TeamSession } from "./team-session.ts";

/** How a user rules on one pending call. */
export type ToolCallDecision =
  | { readonly how: "approve" }
  | { readonly how: "deny"; readonly reason?: string | undefined }
  | { readonly how: "respond"; readonly output: unknown };

/** What an interrupt stops, when, and what it leaves; the host's defaults if left out. */
export type UserInterruptOptions = Pick<ParamsOf<typeof TeamInterrupt>, "scope" | "severity" | "grace">;

/** When a message to a participant of a running team is given, and who is shown it; at once and to all if left out. */
export type UserMessageOptions = Pick<ParamsOf<typeof TeamSendUserMessage>, "delivery" | "visibility">;

/** A change to the messages that wait. */
export type QueueChange = Omit<ParamsOf<typeof TeamQueue>, "teamId">;

/**
 * What a user can do to the team that is shown. Each resolves when the host has done it, which for a run is its end:
 * what happens until then is told by events. All throw the host's error as it stands.
 */
export class TeamActions {
  readonly #host: HostProcess;
  readonly #session: TeamSession;

  constructor(host: HostProcess, session: TeamSession) {
    this.#host = host;
    this.#session = session;
  }

  /** The team that is shown. @throws when there is none. */
  get team(): TeamState {
    const { state } = this.#session;
    if (state !== undefined) return state;
    throw new ActionableError("No team is open; open a team file, or a stored team.", {
      label: "Open Team",
      command: "openTeam",
    });
  }

  /** Somebody is speaking, or is being interrupted. */
  get isRunning(): boolean {
    const { status } = this.team;
    return status === "running" || status === "interrupting";
  }

  /** Starts a run; without a task it goes on from the thread. */
  async run(task?: string): Promise<void> {
    requireTrust();
    const { teamId } = this.team;
    const text = task?.trim() ?? "";
    await ignoringHostExit(this.#host.request(TeamRun, { teamId, ...(text === "" ? {} : { task: text }) }));
  }

  /**
   * Sends a message to one participant. While the team runs, selection goes on after the reply; a team at rest, or one whose run
   * was waited for, answers and rests again, since a question alone should not set all the others to work.
   */
  async send(to: string, message: string, how: UserMessageOptions = {}): Promise<void> {
    requireTrust();
    const { teamId } = this.team;
    const next = this.isRunning && how.delivery !== "queue" ? "continue" : "pause";
    // biome-ignore lint/suspicious/noThenProperty: the contract names the field so
    const params = { teamId, to, messages: message, then: next, ...how } as const;
    await ignoringHostExit(this.#host.request(TeamSendUserMessage, params));
  }

  /** Stops the team, or a part of it, where it stands; what has streamed is kept, and the run can go on unless `how` says else. */
  interrupt(how: UserInterruptOptions = {}): Promise<InterruptReceipt> {
    return this.#host.request(TeamInterrupt, { teamId: this.team.teamId, ...how, reason: "user_request" });
  }

  /** Writes messages that wait anew, moves them, or takes them back. @throws when one of them no longer waits. */
  async changeQueue(change: QueueChange): Promise<void> {
    await this.#host.request(TeamQueue, { teamId: this.team.teamId, ...change });
  }

  /** Writes a partial message anew, or with null takes it out of the thread. @throws while the team runs. */
  async editMessage(messageId: string, content: string | null): Promise<void> {
    await this.#host.request(TeamEditMessage, { teamId: this.team.teamId, messageId, content });
  }

  /** What a pending call would do to a file, or why it would fail; null where its tool has nothing to show. */
  previewTool(ref: string): Promise<ToolPreview> {
    return this.#host.request(TeamPreviewTool, { teamId: this.team.teamId, ref });
  }

  /** Ends a paused run: the next task begins anew. The thread is kept. */
  async stop(): Promise<void> {
    await this.#host.request(TeamInterrupt, { teamId: this.team.teamId, severity: "stop", reason: "user_request" });
  }

  /** Ends the run when the turn in progress has ended. */
  async stopAfterTurn(): Promise<void> {
    await this.#host.request(TeamStop, { teamId: this.team.teamId });
  }

  async reset(): Promise<void> {
    await this.#session.reset(this.team.teamId);
  }

  /** Rules on one pending call, and on all that are the same question with it; an answer in the tool's place is for one. */
  async resolveToolCalls(ref: string, ruling: ToolCallDecision): Promise<void> {
    requireTrust();
    const { teamId } = this.team;
    const refs = ruling.how === "respond" ? [ref] : this.identicalCalls(ref).map((call) => call.ref);
    await ignoringHostExit(this.#host.request(TeamResolveTools, { teamId, ...answer(refs, ruling) }));
  }

  /** What of a pending call could run without asking from now on: each choice as the rules that it takes, the narrowest first. */
  async suggestedRules(ref: string): Promise<readonly (readonly ApprovalSubject[])[]> {
    const { choices } = await this.#host.request(ApprovalsSuggest, { teamId: this.team.teamId, ref });
    return choices.map(({ rules }) => rules);
  }

  /** Lets such calls run without asking, and with them this one; the host answers what else of the pending calls the rules decide. */
  async addApprovalRules(ref: string, rules: readonly ApprovalSubject[], scope: ApprovalRuleScope): Promise<void> {
    requireTrust();
    const team = scope === "run" ? { team: this.team.teamId } : {};
    const answered: string[] = [];
    for (const rule of rules) {
      const added = await this.#host.request(ApprovalsAdd, { rule: { ...rule, ...team, decision: "allow", scope } });
      answered.push(...added.answered);
    }
    if (!answered.includes(ref) && this.pendingCall(ref) !== undefined)
      await this.resolveToolCalls(ref, { how: "approve" });
  }

  /** The pending calls that are one question with this one, itself among them. */
  identicalCalls(ref: string): readonly PendingTool[] {
    const call = this.pendingCall(ref);
    return call === undefined ? [] : identicalCalls(call, this.team.pendingTools);
  }

  /** The pending call of that name, or undefined when it has been answered. */
  pendingCall(ref: string): PendingTool | undefined {
    return this.#session.state?.pendingTools.find((call) => call.ref === ref);
  }
}

function answer(refs: readonly string[], ruling: ToolCallDecision) {
  switch (ruling.how) {
    case "approve":
      return { restart: refs.map((ref) => ({ ref })) };
    case "deny":
      return { deny: refs.map((ref) => ({ ref, ...(ruling.reason === undefined ? {} : { reason: ruling.reason }) })) };
    case "respond":
      return { respond: refs.map((ref) => ({ ref, output: ruling.output })) };
  }
}

/** A run whose host died is no error of the user's request: the team comes back marked as interrupted, and says so itself. */
async function ignoringHostExit(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof HostGoneError)) throw error;
  }
}
/** How long a yes can hold beyond the call that was asked about. */

export type ApprovalRuleScope = Exclude<ApprovalScope, "once">;
