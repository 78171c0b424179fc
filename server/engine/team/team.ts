import type { Capability, TeamDefinition } from "../../../shared/contract/definition.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptPreview, MessagePreview, StateInspection } from "../../../shared/contract/inspection.ts";
import type { ChatMessage, ContentPart } from "../../../shared/contract/message.ts";
import type { ChosenModel } from "../../../shared/contract/model-choice.ts";
import type { ReasoningAck, ReasoningRequest } from "../../../shared/contract/reasoning.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import type { InterruptReceipt, InterruptScope, Severity, Task, TaskResult } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { CallToApprove } from "../approvals/evaluate-call.ts";
import { callRef } from "../calls/call-ref.ts";
import { keepingSpent, spentIn } from "../conditions/spending.ts";
import { newId } from "../id.ts";
import { Interrupts } from "../interrupts/interrupts.ts";
import { findOpenReasoning, membersOf } from "../interrupts/open-reasoning.ts";
import { previewInterrupt, previewMessage } from "../interrupts/preview.ts";
import { ReasoningInterrupts } from "../interrupts/reasoning-interrupts.ts";
import { assertSeverityFits, interruptTarget } from "../interrupts/scope.ts";
import { assertCanContinue, assertHandoff, assertParticipantInTree, handoffWithoutTurn } from "../log/guards.ts";
import { type History, HistoryNotRead, isPaged } from "../log/history.ts";
import { waitingCalls } from "../log/waiting-calls.ts";
import type { InterruptOptions, RunOptions, SendOptions, TaskOptions, ToolAnswers } from "../requests.ts";
import type { RunParts } from "../run/run-parts.ts";
import { isMessageList, messageOfTask, messagesOfTask } from "../run/task.ts";
import { executorOf, type TeamTree, teamsIn } from "../run/team-tree.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Timers } from "../timers.ts";
import { cancelCalls, cancelledByInterrupt, cancelledByMessage } from "./cancel-calls.ts";
import { chooseModel } from "./choose-model.ts";
import { closeDeparted } from "./close-departed.ts";
import { CurrentRun } from "./current-run.ts";
import { DirectedMessages } from "./directed-messages.ts";
import { editPartial } from "./edit-partial.ts";
import { inspectTeam } from "./inspect.ts";
import { closeNestedTeams, endAtRest, restoreConditions } from "./nested-teams.ts";
import { readHistory } from "./read-history.ts";
import { recoverTeam } from "./recover.ts";
import { savedStateOf } from "./saved-state.ts";
import { ToolDecisions, type ToolResolution } from "./tool-decisions.ts";
import { type RefNames, withUniqueRefs } from "./unique-refs.ts";
import { type QueueChange, WaitingMessages } from "./waiting-messages.ts";

/** The components of a team, put together by `createTeam`. */
export interface TeamComponents extends Omit<RunParts, "closeInner"> {
  readonly teamId: string;
  readonly runtime: Runtime;
  /** How long an aborted tool may take to stop, in milliseconds. */
  readonly graceMs: number;
  /** The tool executors, by participant. */
  readonly executors: TeamTree["executors"];
  readonly contextOf: TeamTree["contextOf"];
  readonly models: TeamTree["models"];
  /** The nested teams, by participant. */
  readonly inner: ReadonlyMap<string, Team>;
  /** What each participant and monitor may do to participants. */
  readonly capabilities: ReadonlyMap<string, readonly Capability[]>;
  readonly timers: Timers;
  /** Of a stored team. */
  readonly history: History | undefined;
}

/**
 * A group chat (an AutoGen AgentChat team, with the AutoGen interrupt design of DECISIONS.md): one run at a time, over a
 * thread that all runs share. Its state is the fold of its events.
 */
export class Team {
  readonly id: string;
  readonly #components: TeamComponents;
  readonly #currentRun: CurrentRun;
  readonly #interrupts: Interrupts;
  readonly #waiting: WaitingMessages;
  readonly #reasoning: ReasoningInterrupts;
  readonly #tools: ToolDecisions;
  readonly #directed: DirectedMessages;
  #preparing: Promise<void> | undefined;

  constructor(components: TeamComponents) {
    const { teamId, ledger, user, timers } = components;
    this.id = teamId;
    this.#components = components;
    this.#currentRun = new CurrentRun({
      teamId,
      parts: { ...components, closeInner: (how) => closeNestedTeams(this.tree, how) },
      onExecute: (run) => void run.ended.then((result) => this.#waiting.runEnded(result)),
      onEnd: (end, run) => {
        if (end.status.code === "success") this.#directed.deliverNext();
        // A reset withdraws the waiting messages, once the interrupt that asks for it is at rest.
        if (!this.isRunning && run.severity !== "reset") this.#waiting.cameToRest(run.id, end);
      },
    });
    this.#interrupts = new Interrupts(
      ledger,
      user,
      (call) => executorOf(this.tree, call)?.isReadOnly(call.name) === true,
    );
    this.#waiting = new WaitingMessages(ledger, () => this.#currentRun.run?.resultSoFar);
    this.#reasoning = new ReasoningInterrupts({
      ledger,
      user,
      timers,
      members: () => membersOf(this.tree),
      find: (turnId) => findOpenReasoning(this.tree, turnId),
      interrupt: (options) => this.interrupt(options),
    });
    this.#tools = new ToolDecisions({ tree: () => this.tree, user, currentRun: this.#currentRun });
    this.#directed = new DirectedMessages({
      ledger,
      user,
      currentRun: this.#currentRun,
      waiting: this.#waiting,
      run: (messages, texts, options) =>
        this.run(this.state.awaitingUser === undefined ? messages : inputOf(texts, options.context), options),
      interrupt: (options) => this.interrupt(options),
      assertNothingPending: () => this.#tools.assertNothingPending(),
      assertDecided: () => this.#tools.assertDecided(),
      cancelCalls: (calls) => cancelCalls(this.tree, calls, cancelledByMessage),
    });
  }

  get state(): TeamState {
    return this.#components.ledger.state;
  }

  /** True while a run is in progress. */
  get isRunning(): boolean {
    return this.#currentRun.run !== undefined;
  }

  /** The whole thread; the state holds only its end. */
  get messages(): readonly ChatMessage[] {
    return this.#components.transcript.messages;
  }

  /**
   * Calls `listener` with every event, in order, also before it is stored; the returned function removes the listener. Who
   * passes events on to others waits for the journal first.
   */
  onEvent(listener: (event: TeamEvent) => void): () => void {
    return this.#components.ledger.onEvent(listener);
  }

  /**
   * Starts a run with a task, or continues from the thread; resolves when the run ends, even if it fails. If a user
   * participant has the turn, the task is its input.
   * @throws GavelError `TeamBusy` while a run is in progress, `InvalidResume` while calls are pending, or without a task if
   * there is nothing to continue with, `InvalidParams` for an empty task, or a handoff that is not the user participant's.
   */
  async run(task?: Task | readonly ChatMessage[], options: TaskOptions = {}): Promise<TaskResult> {
    const messages = messagesOfTask(task, this.#components.user);
    this.#assertAtRest();
    this.#tools.assertNothingPending();
    if (task === undefined) assertCanContinue(this.state);
    const { handoff } = options;
    const { awaitingUser } = this.state;
    if (awaitingUser !== undefined && task !== undefined && !isMessageList(task)) {
      if (handoff !== undefined) assertHandoff(this.state, awaitingUser, handoff);
      const message = messageOfTask(awaitingUser.participant, task, handoff);
      const userInput = { task, ...(handoff === undefined ? {} : { handoff }) };
      return this.#currentRun.start({ cause: "run", task, message, userInput }, options).ended;
    }
    if (handoff !== undefined) throw handoffWithoutTurn();
    const recorded = task === undefined || isMessageList(task) ? {} : { task };
    return this.#currentRun.start({ cause: "run", messages, ...recorded }, options).ended;
  }

  /**
   * Resumes the open turns once everything that they waited for is there; resolves when the run ends.
   * @throws GavelError `TeamBusy`, or `InvalidResume` while calls are pending.
   */
  async resume(options: RunOptions = {}): Promise<TaskResult> {
    this.#assertAtRest();
    this.#tools.assertNothingPending();
    return this.#currentRun.start({ cause: "tools" }, options).ended;
  }

  /**
   * For a nested team: has the directed message answered that was delivered to it, by its addressee alone, also beside
   * pending calls of others.
   */
  async answer(options: RunOptions = {}): Promise<TaskResult> {
    this.#assertAtRest();
    return this.#currentRun.start({ cause: "userMessage" }, options).ended;
  }

  /**
   * Stops the run, or the part of it that `scope` names, immediately or at the moment that `grace` names; resolves when
   * nothing of it is running any more. A team at rest is left as it is, except for the severity.
   * @throws GavelError `UnknownParticipant` if the scope names an unknown participant, `InvalidParams` for the severity
   * `reset` with a scope.
   */
  async interrupt(options: InterruptOptions = {}): Promise<InterruptReceipt> {
    assertSeverityFits(options);
    const target = interruptTarget(this.tree, options.scope, this.#applySeverity);
    if (options.waitingCalls === undefined) return this.#interrupts.interrupt(target, options);
    const waiting = waitingCalls(this.state, options.scope).filter((call) => target.covers(call));
    return this.#interrupts.interrupt(target, options, () => {
      cancelCalls(this.tree, waiting, cancelledByInterrupt);
    });
  }

  /**
   * Asks participants to interrupt their reasoning in the named turns (the MEW reasoning interruption design, DECISIONS.md);
   * resolves with their acknowledgement, of several the one that changes most. A sender without authority, or one that names
   * no turn in progress, is answered with `ignored`.
   * `senderPath` says in which team the sender is, if it is a participant whose name may come twice.
   * @throws GavelError `InvalidParams` without `to`, without `correlation_id`, or for the reason `other` without a message.
   */
  async interruptReasoning(request: ReasoningRequest, senderPath?: readonly string[]): Promise<ReasoningAck> {
    return this.#reasoning.interrupt(request, senderPath);
  }

  /** True if that participant of the team at `path` has interrupted reasoning too often to interrupt that turn now. */
  isReasoningLimited(name: string, path: readonly string[], turnId: string): boolean {
    return this.#reasoning.isLimited(name, path, turnId);
  }

  /**
   * What an interrupt of that scope would stop now, and what would be kept.
   * @throws GavelError `UnknownParticipant` if the scope names an unknown participant.
   */
  previewInterrupt(scope?: InterruptScope): InterruptPreview {
    if (scope !== undefined && "participant" in scope) assertParticipantInTree(this.state, scope);
    return previewInterrupt(this.tree, scope);
  }

  /**
   * Sends a message to one participant, the only one that then answers; resolves on the answer. Without `to` it is for the
   * whole team, which goes on with it; resolves when that run has ended.
   * While calls are pending, a message with a `delivery` is taken: one that is sent now is answered beside them, unless they
   * are its addressee's own, which it cancels.
   * @throws GavelError `UnknownParticipant`, `InvalidParams` without a text, or `InvalidResume` while calls are pending, if
   * no `delivery` is given.
   */
  async sendUserMessage(
    to: string | undefined,
    texts: readonly string[],
    options: SendOptions = {},
  ): Promise<TaskResult> {
    return this.#directed.send(to, texts, options);
  }

  /** What such a message would do if it were sent now. @throws GavelError `UnknownParticipant`. */
  previewMessage(to: string | undefined, options: Pick<SendOptions, "delivery" | "visibility"> = {}): MessagePreview {
    return previewMessage(this.tree, to, options);
  }

  /** Edits, withdraws or reorders the waiting messages. @throws GavelError `InvalidParams`. */
  changeQueue(change: QueueChange): void {
    this.#waiting.change(change);
  }

  /**
   * Takes the user's decisions on pending calls, all of them or none. Restarted calls run immediately; after the last
   * decision the turn continues, and `result` is the result of that run.
   * @throws GavelError `InvalidResume` if a decision matches no pending call, `InvalidParams` if there is none.
   */
  async resolveTools(answers: ToolAnswers): Promise<ToolResolution> {
    return this.#tools.resolve(answers);
  }

  /**
   * What a pending call, here or in a nested team, would do with its own input or another one; null if its tool offers no
   * preview. Changes nothing.
   * @throws GavelError `InvalidResume` if no such call is pending.
   */
  async previewTool(ref: string, input?: unknown): Promise<unknown> {
    return this.#tools.preview(ref, input);
  }

  /**
   * A pending call, here or in a nested team, as the approval rules see it; undefined if it cannot run any more.
   * @throws GavelError `InvalidResume` if no such call is pending.
   */
  async callToApprove(ref: string): Promise<CallToApprove | undefined> {
    return this.#tools.callToApprove(ref);
  }

  /** Ends the run when the current turn has ended: sets the `external` condition. Does nothing to a team at rest. */
  stop(): void {
    this.#currentRun.run?.requestStop();
  }

  /**
   * Replaces the text of a partial message, here or in a nested team, or removes the message if `content` is null.
   * @throws GavelError `TeamBusy` while a run is in progress, `InvalidParams` for a message that is complete or unknown.
   */
  editMessage(messageId: string, content: string | null, by: string = this.#components.user): void {
    this.#assertAtRest();
    editPartial(this.tree, messageId, content, by);
  }

  /**
   * Reads and counts what {@link inspect} needs: of a stored history its end, where that is enough. Counting a long
   * conversation takes long, so it is done in parts of a few milliseconds.
   */
  async prepareInspection(): Promise<void> {
    const transcripts = [...teamsIn(this.tree)].map(({ team }) => team.transcript);
    const count = async (): Promise<void> => {
      while (transcripts.some((transcript) => transcript.prepareShown()))
        await new Promise((resolve) => setImmediate(resolve));
    };
    for (const transcript of transcripts) await transcript.prepareRecent();
    await count();
    try {
      this.inspect();
    } catch (error) {
      if (!(error instanceof HistoryNotRead)) throw error;
      await this.prepare();
      await count();
    }
  }

  /**
   * Who spoke, what each model is shown, which calls are open, and the progress of the conditions.
   * @throws HistoryNotRead for a team from a store without {@link prepareInspection}.
   */
  inspect(): StateInspection {
    restoreConditions(this.tree);
    return inspectTeam(this.tree);
  }

  /**
   * Reads the history of a team from a store. To be awaited before a team that was opened runs, is saved, or a message of it
   * is edited. Undefined when nothing is to be read. @throws what the store throws; it may then be tried again.
   */
  prepare(): Promise<void> | undefined {
    if (this.#components.transcript.isReady) return undefined;
    const history = this.#components.history?.all();
    if (history === undefined || !isPaged(history)) return undefined;
    this.#preparing ??= readHistory(this.tree, history).finally(() => (this.#preparing = undefined));
    return this.#preparing;
  }

  /** The parts of the team and its nested teams. */
  get tree(): TeamTree {
    const inner = new Map([...this.#components.inner].map(([name, team]) => [name, team.tree]));
    return { ...this.#components, run: this.#currentRun.run, inner };
  }

  /** Sets the title that users see in place of the team's name; `null` removes it. */
  rename(title: string | null): void {
    const { ledger, user } = this.#components;
    if (title !== (this.state.title ?? null)) ledger.record({ type: "team/renamed", title, by: user });
  }

  /**
   * Chooses the model of that participant, or of the whole team, from the next turn on; `null` goes back to what the
   * definition says. @throws GavelError `UnknownParticipant`, `TeamBusy` while a turn of the participant runs, or for the
   * whole team a run, `InvalidParams` for a participant without a model, an unknown key or a model that cannot be used.
   */
  setModel(to: string | undefined, model: ChosenModel | null): void {
    chooseModel(this.tree, to, model, this.#components.user);
  }

  /** Empties the thread and starts over. @throws GavelError `TeamBusy` while a run is in progress. */
  reset(): void {
    this.#assertAtRest();
    this.#components.ledger.record({ type: "team/reset" });
    for (const { team } of teamsIn(this.tree)) team.conditions.reset();
  }

  /** Reads what {@link save} needs. @throws what the store throws. */
  async prepareSave(): Promise<void> {
    await this.prepare();
    for (const { team } of teamsIn(this.tree)) await team.transcript.keepTexts();
  }

  /** The team's whole state as plain JSON. @throws GavelError `TeamBusy` while a run is in progress. */
  save(): SavedState {
    this.#assertAtRest();
    const inner = [...this.#components.inner].map(([participant, team]) => [participant, team.save()] as const);
    const { transcript, conditions } = this.#components;
    const spent = conditions.isAny ? spentIn(transcript.conditionInput(this.state.conditionMessages)) : undefined;
    return savedStateOf(this.state, transcript.entries, Object.fromEntries(inner), spent);
  }

  /**
   * Loads an earlier state of this team. What its conditions have counted of tokens, cost, turns and time since stays
   * counted. @throws GavelError `TeamBusy` while a run is in progress.
   */
  rewind(state: SavedState): void {
    this.load(keepingSpent(state, this.save()));
  }

  /**
   * Replaces the team's state with a saved one. Equal refs in it are replaced, and those of tools that still run here, whose
   * late results belong to no call of the saved state. @throws GavelError `TeamBusy` while a run is in progress.
   */
  load(state: SavedState): void {
    this.#assertAtRest();
    const { ledger } = this.#components;
    ledger.record({ type: "state/loaded", state: withUniqueRefs(state, this.#refNames()) });
    for (const { team } of teamsIn(this.tree)) team.conditions.invalidate();
  }

  /**
   * Closes what participants have open that `definition` does not have: it replaces this team's, whose thread another team
   * then continues. Does nothing while a run is in progress.
   */
  beforeRedefinition({ participants }: TeamDefinition): void {
    if (!this.isRunning) closeDeparted(this.tree, participants);
  }

  /**
   * Closes what a host that died left open, as an interrupt would have: streamed text becomes a partial message, and a call
   * whose tool was running becomes pending, as its outcome is unknown. What participants have open that the definition does
   * not have is closed for good. Does nothing more to a team at rest.
   */
  recover(): void {
    recoverTeam(this.tree);
  }

  /** Fails the run in progress, because its events cannot be stored. It can continue when they can be. */
  fail(error: unknown): void {
    this.#currentRun.run?.context.interrupt({ kind: "failure", error });
  }

  /** Does what a severity asks for beyond the end of the run. */
  readonly #applySeverity = (severity: Severity): void => {
    if (this.isRunning) return;
    if (severity === "reset") this.reset();
    else if (severity === "stop") {
      closeNestedTeams(this.tree, "stop");
      endAtRest(this.tree, "stop");
    }
  };

  #refNames(): RefNames {
    const executors = [...teamsIn(this.tree)].flatMap(({ team }) => [...team.executors.values()]);
    const seq = this.#components.ledger.nextSeq;
    const origin = newId("state");
    let count = 0;
    return {
      taken: new Set(executors.flatMap(({ executing }) => [...executing])),
      newRef: () => callRef(seq, ++count, origin),
    };
  }

  #assertAtRest(): void {
    this.#currentRun.assertAtRest();
  }
}

/** What the user says in the turn of a user participant. */
function inputOf(texts: readonly string[], context: readonly ContentPart[] = []): Task {
  const text = texts.join("\n\n");
  return context.length === 0 ? text : [{ type: "text", text }, ...context];
}
