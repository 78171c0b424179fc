import type { Capability } from "../../../shared/contract/definition.ts";
import { invalidParams, invalidResume, teamBusy } from "../../../shared/contract/errors.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptPreview, MessagePreview, StateInspection } from "../../../shared/contract/inspection.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { ReasoningAck, ReasoningRequest } from "../../../shared/contract/reasoning.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import { HOST_STOPPED } from "../../../shared/contract/stop-reasons.ts";
import type { InterruptReceipt, InterruptScope, Severity, Task, TaskResult } from "../../../shared/contract/team.ts";
import { NO_USAGE, type TeamState } from "../../../shared/state/team-state.ts";
import type { InterruptCause } from "../cancellation/run-context.ts";
import { newId } from "../id.ts";
import { Interrupts } from "../interrupts/interrupts.ts";
import { findOpenReasoning, membersOf } from "../interrupts/open-reasoning.ts";
import { previewInterrupt, previewMessage } from "../interrupts/preview.ts";
import { ReasoningInterrupts } from "../interrupts/reasoning-interrupts.ts";
import { interruptTarget } from "../interrupts/scope.ts";
import { abandonCall, askForOutcome, closingDrafts } from "../log/closing.ts";
import { assertCanContinue, assertNothingPending, assertParticipant, assertParticipantInTree } from "../log/guards.ts";
import type { InterruptOptions, RunOptions, SendOptions, ToolAnswers } from "../requests.ts";
import { Run } from "../run/run.ts";
import type { RunParts } from "../run/run-parts.ts";
import type { RunTrigger } from "../run/run-trigger.ts";
import { isMessageList, messageOfTask, messagesOfTask } from "../run/task.ts";
import { executorOf, type TeamTree } from "../run/team-tree.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Timers } from "../timers.ts";
import { editPartial } from "./edit-partial.ts";
import { inspectTeam } from "./inspect.ts";
import { savedStateOf } from "./saved-state.ts";
import { assertAnswersFit, resolveToolCalls } from "./tool-answers.ts";
import { ANSWER_TIMEOUT_MS, type QueueChange, WaitingMessages } from "./waiting-messages.ts";

/** What a team is made of; `createTeam` puts it together. */
export interface TeamComponents extends Omit<RunParts, "closeInner"> {
  readonly teamId: string;
  readonly runtime: Runtime;
  readonly user: string;
  readonly graceMs: number;
  /** The participants' tools. */
  readonly executors: TeamTree["executors"];
  readonly contexts: TeamTree["contexts"];
  /** The nested teams, by the participants that they are. */
  readonly inner: ReadonlyMap<string, Team>;
  /** What each participant may do to others. */
  readonly capabilities: ReadonlyMap<string, readonly Capability[]>;
  readonly timers: Timers;
}

/** What came of answers to pending calls: those that still wait, and the run's result where they were the last. */
export interface ToolResolution {
  readonly remaining: string[];
  readonly result?: TaskResult;
}

/**
 * A group chat (AutoGen AgentChat's team, with the interrupts of seeds 000 and 001): one run at a time, over a thread that
 * outlives them all. Its state is the fold of its events.
 */
export class Team {
  readonly id: string;
  readonly #components: TeamComponents & RunParts;
  readonly #interrupts: Interrupts;
  readonly #waiting: WaitingMessages;
  readonly #reasoning: ReasoningInterrupts;
  #run: Run | undefined;
  /** True from the first ruling of an answer until the run that goes on with it has begun. */
  #isResolving = false;

  constructor(body: TeamComponents) {
    this.id = body.teamId;
    this.#components = { ...body, closeInner: (forGood) => this.#closeInner(forGood) };
    this.#interrupts = new Interrupts(
      body.ledger,
      body.user,
      (call) => executorOf(this.tree, call)?.isReadOnly(call.name) === true,
    );
    this.#waiting = new WaitingMessages(body.ledger, () => this.#run?.resultSoFar);
    const { ledger, user, timers } = body;
    this.#reasoning = new ReasoningInterrupts({
      ledger,
      user,
      timers,
      members: () => membersOf(this.tree),
      find: (turnId) => findOpenReasoning(this.tree, turnId),
      interrupt: (options) => this.interrupt(options),
    });
  }

  get state(): TeamState {
    return this.#components.ledger.state;
  }

  /** True while a run is in progress. */
  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  /** The whole thread; the state holds its end. */
  get messages(): readonly ChatMessage[] {
    return this.#components.transcript.messages;
  }

  /** Calls `listener` with every event once it is kept; the function that it returns ends that. */
  onEvent(listener: (event: TeamEvent) => void): () => void {
    return this.#components.ledger.onEvent(listener);
  }

  /**
   * Starts a run with a task, or goes on from the thread; resolves when the run ends, also when it fails. Where a user
   * participant has the turn, the task is what it says.
   * @throws GavelError `TeamBusy` while another is in progress, `InvalidResume` while calls wait for the user, or without a
   * task where there is nothing to go on with, `InvalidParams` for a task of no messages.
   */
  async run(task?: Task | readonly ChatMessage[], options: RunOptions = {}): Promise<TaskResult> {
    const messages = messagesOfTask(task, this.#components.user);
    this.#assertAtRest();
    this.#assertNothingPending();
    if (task === undefined) assertCanContinue(this.state);
    const { awaitingUser } = this.state;
    if (awaitingUser !== undefined && task !== undefined && !isMessageList(task)) {
      const said = messageOfTask(awaitingUser.participant, task);
      return this.#start({ cause: "run", task, userInput: said }, options).ended;
    }
    const wire = isMessageList(task) ? undefined : task;
    return this.#start({ cause: "run", messages, ...(wire === undefined ? {} : { task: wire }) }, options).ended;
  }

  /**
   * Goes on with the turns that stand open, once all that they waited for is there; resolves when the run ends.
   * @throws GavelError `TeamBusy`, or `InvalidResume` while calls wait for the user.
   */
  async resume(options: RunOptions = {}): Promise<TaskResult> {
    this.#assertAtRest();
    this.#assertNothingPending();
    return this.#start({ cause: "tools" }, options).ended;
  }

  /**
   * Stops the run, or the part of it that `scope` names, where it is or at the moment that `grace` names; resolves when
   * nothing of it moves any more. What is at rest is left as it is, but for the severity.
   * @throws GavelError `UnknownParticipant` for a scope of nobody.
   */
  async interrupt(options: InterruptOptions = {}): Promise<InterruptReceipt> {
    return this.#interrupts.interrupt(interruptTarget(this.tree, options.scope, this.#applySeverity), options);
  }

  /**
   * Asks participants to interrupt their reasoning, each named turn of theirs (seed 004); resolves with their
   * acknowledgement, of several the one that says most. Who is not authorised, or names no turn in progress, is answered
   * with `ignored`.
   * @throws GavelError `InvalidParams` without `to`, without `correlation_id`, or for the reason `other` without a message.
   */
  async interruptReasoning(request: ReasoningRequest): Promise<ReasoningAck> {
    return this.#reasoning.interrupt(request);
  }

  /**
   * What an interrupt of that scope would stop now, and what would stay.
   * @throws GavelError `UnknownParticipant` for a scope of nobody.
   */
  previewInterrupt(scope?: InterruptScope): InterruptPreview {
    if (scope !== undefined && "participant" in scope) assertParticipantInTree(this.state, scope.participant);
    return previewInterrupt(this.tree, scope);
  }

  /**
   * Says something to one participant, who alone is asked to answer; resolves on the answer.
   * @throws GavelError `UnknownParticipant`, or `InvalidResume` while calls wait for the user.
   */
  async sendUserMessage(to: string, texts: readonly string[], options: SendOptions = {}): Promise<TaskResult> {
    assertParticipant(this.state, to);
    this.#assertNothingPending();
    if (texts.length === 0) {
      throw invalidParams("team/sendUserMessage", [{ path: "messages", message: "give at least one message" }]);
    }
    const { then = "continue", timeoutMs = ANSWER_TIMEOUT_MS, delivery = "now", visibility } = options;
    const by = options.by ?? this.#components.user;
    const said = {
      id: newId("user"),
      by,
      to,
      messages: [...texts],
      ...(visibility === undefined ? {} : { visibility }),
    };
    if (this.#run !== undefined && delivery !== "now") {
      return this.#waiting.add({ ...said, delivery, then, timeoutMs }, options.signal);
    }
    while (this.#run !== undefined) await this.interrupt({ reason: "a message for one participant", by: options.by });
    this.#assertNothingPending();
    const answer = Promise.withResolvers<TaskResult>();
    const request = { message: said, then, timeoutMs, onAnswer: answer.resolve };
    const run = this.#start({ cause: "userMessage", request }, options);
    // Seed 001: on the answer it is completed, whether or not a condition then ends the run.
    return Promise.race([answer.promise, run.ended.then((result) => run.answeredResult ?? result)]);
  }

  /** What such a message would do if it were sent now. @throws GavelError `UnknownParticipant`. */
  previewMessage(to: string, options: Pick<SendOptions, "delivery" | "visibility"> = {}): MessagePreview {
    assertParticipant(this.state, to);
    return previewMessage(this.tree, to, options);
  }

  /**
   * The messages that wait for their time: written anew, taken back, put in another order. @throws GavelError
   * `InvalidParams`.
   */
  changeQueue(change: QueueChange): void {
    this.#waiting.change(change);
  }

  /** Delivers what was to wait for the end of a run, once one has come to an end of its own. */
  #deliverNext(): void {
    const next = this.#waiting.next;
    if (next === undefined || this.#run !== undefined || this.state.pendingTools.length > 0) return;
    const { id, to, messages, then = "continue", timeoutMs = ANSWER_TIMEOUT_MS, visibility } = next;
    const said = {
      id,
      to,
      messages,
      by: next.by ?? this.#components.user,
      ...(visibility === undefined ? {} : { visibility }),
    };
    try {
      this.#start({ cause: "userMessage", request: { message: said, then, timeoutMs, onAnswer: () => {} } }, {});
    } catch (error) {
      this.#waiting.fail(id, error);
    }
  }

  /**
   * Takes the user's rulings on pending calls, all of them or none. The calls to run are run at once; with the last ruling
   * the turn goes on, and `result` is what the run then came to.
   * @throws GavelError `InvalidResume` when a ruling matches no pending call, `InvalidParams` for none.
   */
  async resolveTools(answers: ToolAnswers): Promise<ToolResolution> {
    this.#checkAnswers(answers);
    while (this.#run !== undefined && !this.#run.acceptsAnswers) {
      await this.#run.ended;
      this.#checkAnswers(answers);
    }
    this.#restoreConditions();
    const ran = this.#resolve(answers);
    if (ran === undefined) return this.#remaining();
    const { run } = ran;
    await ran.tools;
    if (this.state.pendingTools.length > 0) return this.#remaining();
    const result = await run.ended;
    return { ...this.#remaining(), result };
  }

  /**
   * What a pending call would do, here or in a nested team, with its own input or another in its place; null where its tool
   * has nothing to show. Nothing is changed by it.
   * @throws GavelError `InvalidResume` when no such call is pending.
   */
  async previewTool(ref: string, input?: unknown): Promise<unknown> {
    const call = this.state.pendingTools.find((pending) => pending.ref === ref);
    if (call === undefined)
      throw invalidResume(`No call ${ref} is pending; it may have been answered.`, { refs: [ref] });
    return (await executorOf(this.tree, call)?.preview(call.name, input ?? call.input)) ?? null;
  }

  #checkAnswers(answers: ToolAnswers): void {
    assertAnswersFit(answers, this.state.pendingTools, (call, input) =>
      executorOf(this.tree, call)?.inputProblem(call.name, input),
    );
  }

  /**
   * Takes rulings, and goes on with the run that they belong to, or begin; nothing where no tool runs and others are
   * missing.
   */
  #resolve(answers: ToolAnswers): { readonly run: Run; readonly tools: Promise<void> } | undefined {
    this.#isResolving = true;
    try {
      const runTools = resolveToolCalls(this.tree, answers, this.#components.user);
      if (this.#run === undefined && runTools === undefined && this.state.pendingTools.length > 0) return undefined;
      const run = this.#run ?? this.#createRun({ cause: "tools" });
      const tools = run.addAnswers(async (signal) => runTools?.(signal));
      if (!run.isStarted) this.#execute(run);
      return { run, tools };
    } finally {
      this.#isResolving = false;
    }
  }

  /** Ends the run when the current turn has ended: sets the `external` condition. Does nothing to a team at rest. */
  stop(): void {
    this.#run?.requestStop();
  }

  /**
   * Writes a message anew that was cut short, here or in a nested team, or takes it out where `content` is null.
   * @throws GavelError `TeamBusy` while a run is in progress, `InvalidParams` for a message that is whole or not there.
   */
  editMessage(messageId: string, content: string | null, by: string = this.#components.user): void {
    this.#assertAtRest();
    editPartial(this.tree, messageId, content, by);
  }

  /** Who spoke, what each model is shown, what is in flight, and how far the conditions have come. */
  inspect(): StateInspection {
    this.#restoreAllConditions();
    return inspectTeam(this.tree);
  }

  /** The team as one looks into it. */
  get tree(): TeamTree {
    const inner = new Map([...this.#components.inner].map(([name, team]) => [name, team.tree]));
    return { ...this.#components, run: this.#run, inner };
  }

  /** Empties the thread and begins anew. @throws GavelError `TeamBusy` while a run is in progress. */
  reset(): void {
    this.#assertAtRest();
    this.#components.ledger.record({ type: "team/reset" });
    this.#restartConditions((conditions) => conditions.reset());
  }

  /** The team's whole state as plain JSON. @throws GavelError `TeamBusy` while a run is in progress. */
  save(): SavedState {
    this.#assertAtRest();
    const inner = [...this.#components.inner].map(([participant, team]) => [participant, team.save()] as const);
    return savedStateOf(this.state, this.#components.transcript.entries, Object.fromEntries(inner));
  }

  /** Puts a saved state in the place of the team's own. @throws GavelError `TeamBusy` while a run is in progress. */
  load(state: SavedState): void {
    this.#assertAtRest();
    this.#components.ledger.record({ type: "state/loaded", state });
    this.#restartConditions((conditions) => conditions.invalidate());
  }

  /**
   * Closes what a host that died left open, as an interrupt would have: streamed text is a partial message, and a tool that
   * was running is put to the user, as nobody knows what it did. Does nothing to a team at rest.
   */
  recover(): void {
    const { ledger, inner } = this.#components;
    if (this.#run === undefined) for (const team of inner.values()) team.recover();
    const { run, calls } = ledger.state;
    // Between a ruling and the run that it begins there is a call, and no run yet.
    if (this.#run !== undefined || (run === null && calls.every(({ asked }) => asked === undefined))) return;
    for (const draft of closingDrafts(ledger.state, askForOutcome, "keepPending")) ledger.record(draft);
    if (run === null) return;
    const status = { code: "interrupted" as const, reason: HOST_STOPPED, message: "The host stopped during the run." };
    ledger.record({ type: "run/ended", stopReason: null, status, usage: run.usage });
  }

  /** Lets the conditions, of this team and those within it, begin anew. */
  #restartConditions(begin: (conditions: TeamComponents["conditions"]) => void): void {
    begin(this.#components.conditions);
    for (const team of this.#components.inner.values()) team.#restartConditions(begin);
  }

  /** Closes what the nested teams have open between their runs: a call that the user told to run, say. */
  #closeInner(forGood: boolean): void {
    for (const team of this.#components.inner.values()) {
      if (team.isRunning) continue;
      team.#closeInner(forGood);
      if (forGood) team.#endForGood();
      else
        for (const draft of closingDrafts(team.state, abandonCall, "keepPending"))
          team.#components.ledger.recordClosing(draft);
    }
  }

  #start(opening: RunTrigger, options: RunOptions): Run {
    this.#restoreConditions();
    const run = this.#createRun(opening);
    this.#execute(run, options);
    return run;
  }

  /** From its first event on, an interrupt finds the run. */
  #createRun(opening: RunTrigger): Run {
    const run = new Run(this.#components, opening);
    this.#run = run;
    try {
      run.recordStart();
    } catch (error) {
      this.#run = undefined;
      throw error;
    }
    return run;
  }

  #execute(run: Run, { signal, soft }: RunOptions = {}): void {
    const cancel = (): void => run.context.interrupt(causeOf(signal?.reason));
    const windDown = (): void => run.windDown("thought");
    signal?.addEventListener("abort", cancel);
    soft?.addEventListener("abort", windDown);
    if (soft?.aborted) windDown();
    if (signal?.aborted) cancel();
    void run.ended.then((result) => this.#waiting.runEnded(result));
    // The run is over for the team before anyone who waits for it hears so.
    void run.execute((end) => {
      this.#run = undefined;
      signal?.removeEventListener("abort", cancel);
      soft?.removeEventListener("abort", windDown);
      if (end.status.code === "success") this.#deliverNext();
    });
  }

  /** Fails the run in progress: what happens in it can not be recorded. */
  fail(error: unknown): void {
    this.#run?.context.interrupt({ kind: "failure", error });
  }

  /** What a severity asks for beyond the end of the run. */
  readonly #applySeverity = (severity: Severity): void => {
    if (this.#run !== undefined) return;
    if (severity === "reset") this.reset();
    else if (severity === "stop") {
      this.#closeInner(true);
      this.#endForGood();
    }
  };

  /** Ends for good what a team at rest could still go on with. */
  #endForGood(): void {
    const { ledger, conditions } = this.#components;
    if (ledger.state.status === "idle") return;
    for (const draft of closingDrafts(ledger.state, abandonCall, "dropPending")) ledger.recordClosing(draft);
    const status = { code: "interrupted" as const, reason: "external_interrupt" };
    ledger.recordClosing({ type: "run/ended", stopReason: null, status, usage: NO_USAGE, resets: true });
    conditions.reset();
  }

  #restoreConditions(): void {
    this.#components.conditions.restore(this.#components.transcript, this.state.conditionMessages);
  }

  #restoreAllConditions(): void {
    this.#restoreConditions();
    for (const team of this.#components.inner.values()) team.#restoreAllConditions();
  }

  #remaining(): ToolResolution {
    return { remaining: this.state.pendingTools.map(({ ref }) => ref) };
  }

  #assertAtRest(): void {
    if (this.#run !== undefined) throw teamBusy(this.id);
  }

  #assertNothingPending(): void {
    if (this.#isResolving) throw teamBusy(this.id);
    assertNothingPending(this.state);
  }
}

/** An interrupt of the team around reaches the nested one with its cause; any other signal is the hard stop. */
function causeOf(reason: unknown): InterruptCause {
  const isCause = typeof reason === "object" && reason !== null && "kind" in reason && !(reason instanceof Error);
  return isCause ? (reason as InterruptCause) : { kind: "cancel" };
}
