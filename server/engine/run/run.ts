import { GavelError, messageOf } from "../../../shared/contract/errors.ts";
import { StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { RunStatus, Severity, TaskResult } from "../../../shared/contract/team.ts";
import { RunContext, type WindDownPoint } from "../cancellation/run-context.ts";
import { newId } from "../id.ts";
import { abandonCall, closingDrafts, interruptedResult } from "../log/closing.ts";
import type { ContextItem } from "../model.ts";
import { moreSevere } from "../severity.ts";
import { answered, cutShort, failed, type RunEnd } from "./run-end.ts";
import type { RunParts } from "./run-parts.ts";
import { RunResults } from "./run-results.ts";
import { RunStart } from "./run-start.ts";
import type { RunTrigger } from "./run-trigger.ts";
import { type LiveTurn, Speakers } from "./speakers.ts";
import { TurnFlow } from "./turn-flow.ts";

/** The result of an abandoned call that has none when the next run starts. */
export const RESULT_TOO_LATE = "The user interrupted this call, and it had not ended when the conversation continued.";

/** One run of a team, from its trigger to its end. */
export class Run {
  readonly id = newId("run");
  readonly context = new RunContext(this.id);
  /** True while further answers to pending calls can join the run. */
  acceptsAnswers: boolean;
  /** The result of the run when the user's directed message was answered, also if that answer ended the run. */
  answeredResult: TaskResult | undefined;
  /** True once {@link Run.execute} was called. */
  isStarted = false;
  /** Resolves with the run's result, and never rejects. */
  readonly ended: Promise<TaskResult>;

  readonly #parts: RunParts;
  readonly #trigger: RunTrigger;
  readonly #speakers: Speakers;
  readonly #flow: TurnFlow;
  readonly #answers: Promise<void>[] = [];
  readonly #results: RunResults;
  readonly #resolveEnded: (result: TaskResult) => void;
  #severity: Severity = "pause";
  #isRecorded = false;
  #hasStopped = false;
  #onStop: () => void = () => {};

  /** `earlier`: for a nested team, the talk before. */
  constructor(parts: RunParts, trigger: RunTrigger, earlier?: readonly ContextItem[]) {
    this.#parts = parts;
    this.#trigger = trigger;
    this.#results = new RunResults(trigger);
    this.#speakers = new Speakers(parts.turns, this.context, earlier);
    this.#flow = new TurnFlow(parts, this.context, this.#speakers);
    const isBeside = trigger.cause === "userMessage" && parts.ledger.state.pendingTools.length > 0;
    this.acceptsAnswers = trigger.cause === "tools" || isBeside;
    const { promise, resolve } = Promise.withResolvers<TaskResult>();
    this.ended = promise;
    this.#resolveEnded = resolve;
  }

  /**
   * Records `run/started`, once.
   * @throws what the journal throws for a team that was replaced; the run has then not started.
   */
  recordStart(): void {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    const { cause, by } = this.#trigger;
    const task = this.#trigger.cause === "run" ? this.#trigger.task : undefined;
    const given = { ...(task === undefined ? {} : { task }), ...(by === undefined ? {} : { by }) };
    this.#parts.ledger.record({ type: "run/started", cause, ...given }, this.id);
  }

  /** Ends a run that is not executed, because of `error`: calls that were to run are pending again. */
  drop(error: unknown): void {
    const { ledger, closeInner } = this.#parts;
    this.#hasStopped = true;
    this.#onStop();
    closeInner("pause");
    for (const draft of closingDrafts(ledger.state, abandonCall, "keepPending")) ledger.record(draft);
    this.#resolveEnded(this.#result(failed(error)));
  }

  /** Runs the tools of one answer, beside those of other answers; the turns continue when all tools have ended. */
  addAnswers(runTools: (context: RunContext) => Promise<unknown>): Promise<void> {
    const ran = runTools(this.context).then(() => {});
    this.#answers.push(ran);
    return ran;
  }

  /** Executes the run; calls `onEnd` before {@link ended} resolves. */
  async execute(onEnd: (end: RunEnd) => void): Promise<void> {
    this.isStarted = true;
    const { ledger } = this.#parts;
    // It was asked for while calls waited for the user.
    if (ledger.state.stopRequested && this.#trigger.cause === "tools") this.requestStop(true);
    const unlisten = ledger.onEvent((event) => this.#results.add(event, ledger.state));
    const reached = await this.#loop().catch(failed);
    // The calls that it ends for may have been cancelled while others were still speaking.
    const isCancelled = reached.stopReason === StopReason.toolInterrupt && ledger.state.pendingTools.length === 0;
    const end = isCancelled ? cutShort({ kind: "interrupt" }, false) : reached;
    const flow = end.flow === "open" ? this.#flowAfterStop() : end.flow;
    const left = flow instanceof Promise ? await flow : flow;
    this.#hasStopped = true;
    this.#onStop();
    // A fired condition ends the run even if an interrupt came at the same time: the condition cannot be checked again.
    const final = this.#isInterruptedBy(end)
      ? cutShort(this.context.cause ?? { kind: "interrupt" }, this.#severity !== "pause")
      : end;
    const status = this.#close(final, final === end ? left : final.flow);
    unlisten();
    onEnd(final);
    this.#resolveEnded(this.#result({ ...final, status }));
  }

  /** The turn that a participant is taking now, if any. */
  turnOf(name: string): LiveTurn | undefined {
    return this.#speakers.turnOf(name);
  }

  /** How many participants are speaking now. */
  get speakerCount(): number {
    return this.#speakers.count;
  }

  /** Ends the run at `until`. */
  windDown(until: WindDownPoint): void {
    this.context.windDown(until);
    this.#flow.interruptSelection();
  }

  /** Raises the severity with which an interrupt ends the run. */
  raiseSeverity(severity: Severity): void {
    this.#severity = moreSevere(this.#severity, severity);
  }

  /** Calls `stopped` once nothing more starts in the run, before open work is closed; immediately if that is already so. */
  whenStopped(stopped: () => void): void {
    const before = this.#onStop;
    if (this.#hasStopped) stopped();
    else
      this.#onStop = () => {
        before();
        stopped();
      };
  }

  /** The highest severity of the interrupts of this run. */
  get severity(): Severity {
    return this.#severity;
  }

  /** The result of the run so far. */
  get resultSoFar(): TaskResult {
    return this.#result(answered());
  }

  /** Whether the run ends when the turns in progress have ended. */
  requestStop(isWanted: boolean): void {
    this.#flow.requestStop(isWanted);
    this.#parts.conditions.setExternal(isWanted);
  }

  async #loop(): Promise<RunEnd> {
    this.#closeLateCalls();
    const start = new RunStart({
      parts: this.#parts,
      context: this.context,
      speakers: this.#speakers,
      flow: this.#flow,
      awaitAnswers: () => this.#awaitAnswers(),
      onAnswered: () => {
        this.answeredResult = this.resultSoFar;
        this.#results.noteAnswer();
        return this.answeredResult;
      },
    });
    let end = await start.start(this.#trigger);
    while (end === undefined && !this.context.isStopping) {
      end = await this.#flow.next();
      if (end === undefined) await yieldToEventLoop();
    }
    return end ?? cutShort({ kind: "interrupt" }, false);
  }

  #closeLateCalls(): void {
    const { ledger } = this.#parts;
    for (const call of ledger.state.calls) if (call.abandoned) ledger.record(interruptedResult(call, RESULT_TOO_LATE));
  }

  /** Waits for the tools of all answers, including answers that join meanwhile. None can join after that. */
  async #awaitAnswers(): Promise<void> {
    for (let known = 0; known < this.#answers.length; ) {
      known = this.#answers.length;
      await Promise.all(this.#answers);
    }
    this.acceptsAnswers = false;
  }

  /** True if an interrupt ended the run, or a part of it. */
  #isInterruptedBy({ resets, stopReason, error }: RunEnd): boolean {
    if (this.context.isInterrupted) return !resets;
    return stopReason === StopReason.userInterrupt || (this.context.isStopping && !resets && error === undefined);
  }

  /** Closes what is open and records the end; returns the status with which the run has ended. */
  #close({ stopReason, status: ending, resets, flow: wanted, error }: RunEnd, flow: RunEnd["flow"]): RunStatus {
    const { ledger, conditions, closeInner } = this.#parts;
    closeInner(resets ? (wanted === "open" ? "end" : "stop") : "pause");
    const drafts = closingDrafts(ledger.state, abandonCall, resets ? "dropPending" : "keepPending");
    for (const draft of drafts) ledger.record(draft);
    if (error !== undefined) {
      const { failed: participant } = this.#speakers;
      const whose = participant === undefined ? {} : { participant };
      ledger.record({ type: "error", message: messageOf(error), ...whose, data: errorData(error) });
    }
    const status = this.#results.describe(ending);
    const { usage } = this.#results;
    const reset = { ...(resets ? { resets } : {}), ...(flow === undefined ? {} : { flow }) };
    ledger.record({ type: "run/ended", stopReason, status, usage, ...reset });
    if (resets) conditions.reset();
    else conditions.setExternal(false);
    return status;
  }

  /** What a condition that ends the run leaves of the manager's selection. */
  #flowAfterStop(): RunEnd["flow"] | Promise<RunEnd["flow"]> {
    const { ledger, transcript, manager } = this.#parts;
    const { state } = ledger;
    if (state.note === undefined) return state.finishedAt === undefined ? undefined : "finished";
    const { signal } = this.context;
    const isFinished = manager.isFinished?.({ state, messages: transcript.messages, signal }) ?? false;
    return isFinished instanceof Promise ? isFinished.then(flowOf) : flowOf(isFinished);
  }

  #result({ stopReason, status }: RunEnd): TaskResult {
    const { messages, usage } = this.#results;
    return { runId: this.id, messages, stopReason, status, usage };
  }
}

const flowOf = (isFinished: boolean): RunEnd["flow"] => (isFinished ? "finished" : "open");

/** Gives an interrupt a chance to arrive between turns that end within one tick, for example those of a scripted model. */
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function errorData(error: unknown): Record<string, unknown> {
  return error instanceof GavelError ? { ...error.data } : { code: "InternalError" };
}
