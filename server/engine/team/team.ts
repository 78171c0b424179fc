import type { CommandEnd } from "../../../shared/contract/background-command.ts";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptPreview, MessagePreview, StateInspection } from "../../../shared/contract/inspection.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { ChosenModel } from "../../../shared/contract/model-choice.ts";
import type { ParticipantsChanged } from "../../../shared/contract/participant-change.ts";
import type { Approvers, Role, User } from "../../../shared/contract/people.ts";
import type { PlanItem } from "../../../shared/contract/plan.ts";
import type { ReasoningAck, ReasoningRequest } from "../../../shared/contract/reasoning.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import type { InterruptReceipt, InterruptScope, Task, TaskResult } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { CallToApprove } from "../approvals/evaluate-call.ts";
import type { InterruptOptions, RunOptions, SendOptions, TaskOptions, ToolAnswers } from "../requests.ts";
import type { TeamTree } from "../run/team-tree.ts";
import type { CommandToStart } from "./team-commands.ts";
import type { ToolResolution } from "./tool-decisions.ts";
import type { QueueChange } from "./waiting-messages.ts";

/**
 * A group chat (an AutoGen AgentChat team, with the AutoGen interrupt design of DECISIONS.md): one run at a time, over a
 * thread that all runs share. Its state is the fold of its events. `createTeam` makes one.
 */
export interface Team {
  readonly id: string;

  readonly state: TeamState;

  /** True while a run is in progress. */
  readonly isRunning: boolean;

  /** The whole thread; the state holds only its end. */
  readonly messages: readonly ChatMessage[];

  /**
   * Calls `listener` with every event, in order, also before it is stored; the returned function removes the listener. Who
   * passes events on to others waits for the journal first.
   */
  onEvent(listener: (event: TeamEvent) => void): () => void;

  /**
   * Starts a run with a task, or continues from the thread; resolves when the run ends, even if it fails. If a user
   * participant has the turn, the task is its input.
   * @throws GavelError `TeamBusy` while a run is in progress, `InvalidResume` while calls are pending, or without a task if
   * there is nothing to continue with, `InvalidParams` for an empty task, or a handoff that is not the user participant's.
   */
  run(task?: Task | readonly ChatMessage[], options?: TaskOptions): Promise<TaskResult>;

  /**
   * Resumes the open turns once everything that they waited for is there; resolves when the run ends.
   * @throws GavelError `TeamBusy`, or `InvalidResume` while calls are pending.
   */
  resume(options?: RunOptions): Promise<TaskResult>;

  /**
   * For a nested team: has the directed message answered that was delivered to it, by its addressee alone, also beside
   * pending calls of others.
   */
  answer(options?: RunOptions): Promise<TaskResult>;

  /**
   * Stops the run, or the part of it that `scope` names, immediately or at the moment that `grace` names; resolves when
   * nothing of it is running any more. A team at rest is left as it is, except for the severity.
   * @throws GavelError `UnknownParticipant` if the scope names an unknown participant, `InvalidParams` for the severity
   * `reset` with a scope.
   */
  interrupt(options?: InterruptOptions): Promise<InterruptReceipt>;

  /**
   * Asks participants to interrupt their reasoning in the named turns (the MEW reasoning interruption design, DECISIONS.md);
   * resolves with their acknowledgement, of several the one that changes most. A sender without authority, or one that names
   * no turn in progress, is answered with `ignored`.
   * `senderPath` says in which team the sender is, if it is a participant whose name may come twice.
   * @throws GavelError `InvalidParams` without `to`, without `correlation_id`, or for the reason `other` without a message.
   */
  interruptReasoning(request: ReasoningRequest, senderPath?: readonly string[]): Promise<ReasoningAck>;

  /** True if that participant of the team at `path` has interrupted reasoning too often to interrupt that turn now. */
  isReasoningLimited(name: string, path: readonly string[], turnId: string): boolean;

  /**
   * What an interrupt of that scope would stop now, and what would be kept.
   * @throws GavelError `UnknownParticipant` if the scope names an unknown participant.
   */
  previewInterrupt(scope?: InterruptScope): InterruptPreview;

  /**
   * Sends a message to one participant, the only one that then answers; resolves on the answer. Without `to` it is for the
   * whole team, which goes on with it; resolves when that run has ended.
   * While calls are pending, a message with a `delivery` is taken: one that is sent now is answered beside them, unless they
   * are its addressee's own, which it cancels.
   * @throws GavelError `UnknownParticipant`, `InvalidParams` without a text, or `InvalidResume` while calls are pending, if
   * no `delivery` is given.
   */
  sendUserMessage(to: string | undefined, texts: readonly string[], options?: SendOptions): Promise<TaskResult>;

  /** What such a message would do if it were sent now. @throws GavelError `UnknownParticipant`. */
  previewMessage(to: string | undefined, options?: Pick<SendOptions, "delivery" | "visibility">): MessagePreview;

  /** Edits, withdraws or reorders the waiting messages. @throws GavelError `InvalidParams`. */
  changeQueue(change: QueueChange): void;

  /**
   * Takes the user's decisions on pending calls, all of them or none. Restarted calls run immediately; after the last
   * decision the turn continues, and `result` is the result of that run.
   * @throws GavelError `InvalidResume` if a decision matches no pending call, which says who has decided on it before
   * (`answeredBy`), `InvalidParams` if there is none.
   */
  resolveTools(answers: ToolAnswers): Promise<ToolResolution>;

  /**
   * What a pending call, here or in a nested team, would do with its own input or another one; null if its tool offers no
   * preview. Changes nothing.
   * @throws GavelError `InvalidResume` if no such call is pending.
   */
  previewTool(ref: string, input?: unknown): Promise<unknown>;

  /**
   * A pending call, here or in a nested team, as the approval rules see it; undefined if it cannot run any more.
   * @throws GavelError `InvalidResume` if no such call is pending.
   */
  callToApprove(ref: string): Promise<CallToApprove | undefined>;

  /**
   * Ends the run when the current turn has ended: sets the `external` condition. While calls wait for the user, it is the
   * turn that goes on after the decision. Does nothing to a team at rest.
   */
  stop(): void;

  /** Lets the run go on after the current turn, which {@link stop} was to end. */
  withdrawStop(): void;

  /**
   * Replaces the text of a partial message, here or in a nested team, or removes the message if `content` is null.
   * @throws GavelError `TeamBusy` while a run is in progress, `InvalidParams` for a message that is complete or unknown.
   */
  editMessage(messageId: string, content: string | null, by?: string): void;

  /**
   * Reads and counts what {@link inspect} needs: of a stored history its end, where that is enough. Counting a long
   * conversation takes long, so it is done in parts of a few milliseconds.
   */
  prepareInspection(): Promise<void>;

  /**
   * Who spoke, what each model is shown, which calls are open, and the progress of the conditions.
   * @throws HistoryNotRead for a team from a store without {@link prepareInspection}.
   */
  inspect(): StateInspection;

  /**
   * Reads the history of a team from a store. To be awaited before a team that was opened is saved, or a message of it is
   * edited. Undefined when nothing is to be read. @throws what the store throws; it may then be tried again.
   */
  prepare(): Promise<void> | undefined;

  /**
   * Like {@link prepare}, to be awaited before a team that was opened runs. Where the first turn needs only the end of the
   * history, only that is read, and the rest during the turn.
   */
  prepareRun(): Promise<void> | undefined;

  /** The parts of the team and its nested teams. */
  readonly tree: TeamTree;

  /** Sets the title that users see in place of the team's name; `null` removes it. */
  rename(title: string | null): void;

  /**
   * Chooses the model of that participant, or of the whole team, from the next turn on; `null` goes back to what the
   * definition says. @throws GavelError `UnknownParticipant`, `TeamBusy` while a turn of the participant runs, or for the
   * whole team a run, `InvalidParams` for a participant without a model, an unknown key or a model that cannot be used.
   */
  setModel(to: string | undefined, model: ChosenModel | null): void;

  /**
   * Replaces the plan of a participant, whose model is shown it in its next turn; without items it has none. With `was`, the
   * plan must be that. @throws GavelError `UnknownParticipant`, `InvalidParams` for a plan that is not what `was` says.
   */
  editPlan(
    to: string,
    edit: { readonly items: readonly PlanItem[]; readonly was?: readonly PlanItem[] | undefined },
  ): void;

  /**
   * Has the context of that participant summarized before its model is asked next. @throws GavelError `UnknownParticipant`,
   * `InvalidParams` for a participant whose context is neither `summarized` nor the whole conversation.
   */
  summarizeContext(to: string): void;

  /**
   * Undoes the summary of that participant, or the request for one: its model is shown the messages again, from its next
   * turn on, and no summary is made until one is asked for. @throws GavelError `UnknownParticipant`, `InvalidParams` where
   * there is nothing to undo.
   */
  restoreContext(to: string): void;

  /**
   * Records that a call starts a command in the background, and returns its id. To be stored before it starts.
   * @throws Error for a call that has ended, and when the team runs as many commands as it may.
   */
  startCommand(command: CommandToStart): string;

  /** Records that a background command has ended. */
  endCommand(id: string, end: CommandEnd): void;

  /** Empties the thread and starts over. @throws GavelError `TeamBusy` while a run is in progress. */
  reset(): void;

  /** Reads what {@link save} needs. @throws what the store throws. */
  prepareSave(): Promise<void>;

  /** The team's whole state as plain JSON. @throws GavelError `TeamBusy` while a run is in progress. */
  save(): SavedState;

  /**
   * Loads an earlier state of this team. What its conditions have counted of tokens, cost, turns and time since stays
   * counted. @throws GavelError `TeamBusy` while a run is in progress.
   */
  rewind(state: SavedState): void;

  /**
   * Replaces the team's state with a saved one. Equal refs in it are replaced, and those of tools that still run here, whose
   * late results belong to no call of the saved state. @throws GavelError `TeamBusy` while a run is in progress.
   */
  load(state: SavedState): void;

  /**
   * Records that other participants take part, of a definition that has been checked, and closes what those who leave have
   * open. This object still has the participants of before: create the team again from its journal to go on.
   * @throws GavelError `TeamBusy` while a run is in progress or a tool runs.
   */
  changeParticipants(changed: ParticipantsChanged): void;

  /**
   * Notes that somebody uses the team, with the role of newcomers, or under another name: with the first, also who has the
   * chair. Does nothing for a user who is known under that name.
   */
  admit(user: User, chair: User): void;

  /** Says how many users have to approve calls of the team and its nested teams, and who; its file may require more. */
  setApprovers(approvers: Approvers): void;

  /**
   * Changes the role of a user; without one, that of newcomers. Who gets the chair has it instead of who had it. `taken`: in
   * the absence of who had it.
   * @throws GavelError `InvalidParams` for an unknown user, or if the team would have no chair.
   */
  setRole(user: string | undefined, role: Role, taken?: true): void;

  /**
   * Closes what participants have open that `definition` does not have: it replaces this team's, whose thread another team
   * then continues. Does nothing while a run is in progress.
   */
  beforeRedefinition(definition: TeamDefinition): void;

  /**
   * Closes what a host that died left open, as an interrupt would have: streamed text becomes a partial message, and a call
   * whose tool was running becomes pending, as its outcome is unknown. What participants have open that the definition does
   * not have is closed for good. Background commands end, but for those that `isAlive`. Does nothing more to a team at rest.
   */
  recover(isAlive?: (command: string) => boolean): void;

  /** Fails the run in progress, because its events cannot be stored. It can continue when they can be. */
  fail(error: unknown): void;
}
