import { GavelError, messageOf } from "../../../shared/contract/errors.ts";
import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { BUDGET, StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { Severity, Task, TaskResult } from "../../../shared/contract/team.ts";
import { usageOf } from "../../../shared/state/reducer.ts";
import { addUsage, NO_USAGE } from "../../../shared/state/team-state.ts";
import { RunContext, type WindDownPoint } from "../cancellation/run-context.ts";
import { unlessAborted } from "../cancellation/unless-aborted.ts";
import { EXTERNAL_STOP } from "../conditions/external-condition.ts";
import { type DirectedMessage, threadMessages } from "../context/user-message.ts";
import { newId } from "../id.ts";
import { abandonCall, closingDrafts, interruptedResult } from "../log/closing.ts";
import type { Ledger } from "../log/ledger.ts";
import type { Manager, Selection } from "../managers/manager.ts";
import { moreSevere } from "../severity.ts";
import type { ConditionFeed } from "./condition-feed.ts";
import {
  answered,
  answerTimedOut,
  awaitingTools,
  awaitingUser,
  cutShort,
  failed,
  paused,
  type RunEnd,
  terminated,
} from "./run-end.ts";
import { TeamSelectionContext } from "./selection-context.ts";
import { type LiveTurn, Speakers, type TurnHandle } from "./speakers.ts";
import type { Transcript } from "./transcript.ts";
import type { Turns } from "./turns.ts";

/** What a run needs of its team. */
export interface RunParts {
  readonly ledger: Ledger;
  readonly transcript: Transcript;
  readonly turns: Turns;
  readonly manager: Manager;
  readonly conditions: ConditionFeed;
  readonly maxTurns: number | undefined;
  /** Closes what the nested teams have open; for good, or so that it can be gone on with. */
  readonly closeInner: (forGood: boolean) => void;
}

/** A user's message to one participant. */
export interface DirectedRequest {
  readonly message: DirectedMessage;
  readonly then: "continue" | "pause";
  readonly timeoutMs: number;
  /** Called on the answer when others speak after it: with what the run came to so far. */
  readonly onAnswer: (result: TaskResult) => void;
}

/** What sets a run going. */
export type RunTrigger =
  | { readonly cause: "run"; readonly task?: Task | undefined; readonly messages: readonly ChatMessage[] }
  /** What the user says in the turn of a user participant, here or in a nested team. */
  | { readonly cause: "run"; readonly task: Task; readonly said: ChatMessage }
  | { readonly cause: "userMessage"; readonly message: DirectedRequest }
  /** Answers to pending calls; see {@link Run.answer}. */
  | { readonly cause: "tools" };

/** A late result is no longer waited for once the run goes on. */
export const RESULT_TOO_LATE = "The user interrupted this call, and it had not ended when the talk went on.";

/** One run of a team, from what set it going to its end. */
export class Run {
  readonly id = newId("run");
  readonly context = new RunContext(this.id);
  /** How severe the interrupt is that ends it: the most severe of those that came. */
  #severity: Severity = "pause";
  /** True while answers to pending calls can still join it. */
  acceptsAnswers: boolean;
  /** What the run had come to on the answer to the user's message, also where that answer ended the run. */
  answeredResult: TaskResult | undefined;
  /** True once {@link Run.execute} was called. */
  isStarted = false;
  /** Resolves with its result, and never rejects. */
  readonly ended: Promise<TaskResult>;

  readonly #parts: RunParts;
  readonly #speakers: Speakers;
  readonly #trigger: RunTrigger;
  readonly #answers: Promise<void>[] = [];
  readonly #messages: ChatMessage[] = [];
  readonly #resolveEnded: (result: TaskResult) => void;
  #usage = NO_USAGE;
  #stopRequested = false;
  #selection: RunContext | undefined;
  #hasStopped = false;
  #onStop: () => void = () => {};

  constructor(parts: RunParts, opening: RunTrigger) {
    this.#parts = parts;
    this.#trigger = opening;
    this.#speakers = new Speakers(parts.turns, this.context);
    this.acceptsAnswers = opening.cause === "tools";
    const { promise, resolve } = Promise.withResolvers<TaskResult>();
    this.ended = promise;
    this.#resolveEnded = resolve;
  }

  /** Tells that it begins. @throws GavelError `StorageError` when that can not be kept; the run has then not begun. */
  recordStart(): void {
    const { cause } = this.#trigger;
    const task = this.#trigger.cause === "run" ? this.#trigger.task : undefined;
    this.#parts.ledger.record({ type: "run/started", cause, ...(task === undefined ? {} : { task }) }, this.id);
  }

  /** Runs the tools of an answer, beside those of others; the turns go on when all have ended. */
  addAnswers(runTools: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const ran = runTools(this.context.signal).then(() => {});
    this.#answers.push(ran);
    return ran;
  }

  /** Runs to the end; `over` is called before {@link ended} tells of it. */
  async execute(over: (end: RunEnd) => void): Promise<void> {
    this.isStarted = true;
    const { ledger } = this.#parts;
    const unlisten = ledger.onEvent((event) => {
      if (event.type === "message/added" && event.path === undefined) this.#messages.push(event.message);
      this.#usage = addUsage(this.#usage, usageOf(event));
    });
    const end = await this.#loop().catch(failed);
    this.#hasStopped = true;
    this.#onStop();
    // A condition that has fired ends the run, also when an interrupt came just then: it can not be asked again.
    const final = this.#isInterruptedBy(end)
      ? cutShort(this.context.cause ?? { kind: "interrupt" }, this.#severity !== "pause")
      : end;
    this.#close(final);
    unlisten();
    over(final);
    this.#resolveEnded(this.#result(final));
  }

  /** True when an interrupt has ended the run, or a part of it. */
  #isInterruptedBy({ resets, stopReason, error }: RunEnd): boolean {
    if (this.context.isInterrupted) return !resets;
    return stopReason === StopReason.userInterrupt || (this.context.isStopping && !resets && error === undefined);
  }

  /** The turn that a participant is taking now, if it is. */
  turnOf(name: string): LiveTurn | undefined {
    return this.#speakers.turnOf(name);
  }

  /** How many speak now. */
  get speakerCount(): number {
    return this.#speakers.count;
  }

  /** Lets the run end at a good moment. */
  windDown(until: WindDownPoint): void {
    this.context.windDown(until);
    this.#selection?.interrupt({ kind: "interrupt" });
  }

  /** Lets an interrupt of that severity end it, unless a more severe one has come. */
  raiseSeverity(severity: Severity): void {
    this.#severity = moreSevere(this.#severity, severity);
  }

  /** Calls `stopped` when nothing more begins in the run, before what it leaves open is closed; at once where that has come. */
  whenStopped(stopped: () => void): void {
    const before = this.#onStop;
    if (this.#hasStopped) stopped();
    else
      this.#onStop = () => {
        before();
        stopped();
      };
  }

  /** What it has come to so far. */
  get resultSoFar(): TaskResult {
    return this.#result(answered());
  }

  /** Ends the run when the current turns have ended. */
  requestStop(): void {
    this.#stopRequested = true;
    this.#parts.conditions.setExternal(true);
  }

  async #loop(): Promise<RunEnd> {
    this.#closeLateCalls();
    let end = await this.#startFrom(this.#trigger);
    while (end === undefined && !this.context.isStopping) {
      end = await this.#next();
      if (end === undefined) await yieldToEventLoop();
    }
    return end ?? cutShort({ kind: "interrupt" }, false);
  }

  /** Whom the manager chooses, and their turns. */
  async #next(): Promise<RunEnd | undefined> {
    // The others have said what they had to say; the user's turn is still open.
    if (this.#parts.ledger.state.awaitingUser !== undefined) return awaitingUser();
    const selection = await this.#select([]);
    if (selection === undefined) return undefined;
    if ("end" in selection) return terminated(selection.end);
    if (selection.speakers.length === 0) return terminated("Nobody is left to speak.");
    return this.#round(selection.speakers.map((name) => this.#speakers.startTurn(name)));
  }

  /** The manager's choice, recorded; nothing when an interrupt came before it. */
  async #select(speaking: readonly string[]): Promise<Selection | undefined> {
    const { ledger, transcript, manager } = this.#parts;
    this.#selection = this.context.child("selection");
    const { signal } = this.#selection;
    const choosing = manager.select(new TeamSelectionContext({ ledger, transcript, speaking, signal }));
    // A manager that does not stop is left behind: what it comes to is not taken up.
    const selection = choosing instanceof Promise ? await unlessAborted(choosing, signal) : choosing;
    this.#selection.end();
    if (selection === undefined || this.context.isStopping) return undefined;
    const note = selection.note === undefined ? {} : { note: selection.note };
    if ("speakers" in selection && (selection.speakers.length > 0 || selection.note !== undefined)) {
      ledger.record({ type: "speaker/selected", participants: [...selection.speakers], ...note });
    }
    return selection;
  }

  #closeLateCalls(): void {
    const { ledger } = this.#parts;
    for (const call of ledger.state.calls) if (call.abandoned) ledger.record(interruptedResult(call, RESULT_TOO_LATE));
  }

  async #startFrom(opening: RunTrigger): Promise<RunEnd | undefined> {
    switch (opening.cause) {
      case "run":
        if ("said" in opening) return this.#applyUserTurn(opening.said, opening.task);
        this.#returnFromHandoff();
        for (const message of opening.messages) this.#parts.ledger.record({ type: "message/added", message });
        if (opening.messages.length > 0) return this.#checkTermination();
        return (this.#isMidSpeech() ? undefined : this.#checkTermination()) ?? this.#retryUnanswered();
      case "userMessage":
        return this.#deliver(opening.message);
      case "tools":
        await this.#awaitAnswers();
        return this.#resumeOpenTurns();
    }
  }

  /** An interrupt has left somebody in mid-speech: the word is theirs, and the conditions are asked when they have ended. */
  #isMidSpeech(): boolean {
    return this.#parts.ledger.state.thread.at(-1)?.partial === true;
  }

  /** What the user says in a user participant's turn; then the turns that stood open beside it go on. */
  async #applyUserTurn(said: ChatMessage, task: Task): Promise<RunEnd | undefined> {
    const { ledger, turns } = this.#parts;
    const { openTurns } = ledger.state;
    const asked = openTurns.find(({ awaits }) => awaits !== undefined);
    if (asked === undefined) return undefined;
    if (asked.awaits?.path === undefined) turns.addUserTurn(asked, said);
    const end = this.#checkTermination();
    if (end !== undefined) return end;
    return this.#resumeOpenTurns({ [asked.participant]: task });
  }

  /** The user takes the floor back where a handoff has left the team, and gives it to `to`, or to whoever handed over. */
  #returnFromHandoff(to?: string): void {
    const { ledger } = this.#parts;
    const { handoffTo, participants, lastSpeaker } = ledger.state;
    if (handoffTo === undefined || participants.some(({ name }) => name === handoffTo)) return;
    const back = to ?? lastSpeaker;
    if (back !== null) ledger.record({ type: "handoff", from: handoffTo, to: back });
  }

  /** The answer to the user's message that an interrupt cut short, before the others go on. */
  async #retryUnanswered(): Promise<RunEnd | undefined> {
    const { ledger } = this.#parts;
    const { unanswered } = ledger.state;
    if (unanswered === undefined) return undefined;
    const { participant, directed } = unanswered;
    ledger.record({ type: "speaker/selected", participants: [participant], directed });
    const end = await this.#awaitAnswerTurn(this.#speakers.startTurn(participant));
    return end ?? (directed === "pause" ? answered() : undefined);
  }

  /** Waits for the tools of all answers, those that join meanwhile among them. None joins from the moment it ends. */
  async #awaitAnswers(): Promise<void> {
    for (let known = 0; known < this.#answers.length; ) {
      known = this.#answers.length;
      await Promise.all(this.#answers);
    }
    this.acceptsAnswers = false;
  }

  /** The rest of the turns that waited for the user, once every call is answered; `said` is what the user says in them. */
  async #resumeOpenTurns(said: Readonly<Record<string, Task>> = {}): Promise<RunEnd | undefined> {
    const { state } = this.#parts.ledger;
    if (this.context.isInterrupted || state.pendingTools.length > 0) return awaitingTools();
    const open = state.openTurns.filter(({ awaits, participant }) => awaits === undefined || participant in said);
    if (open.length === 0) return undefined;
    const directed = open.find((turn) => turn.directed !== undefined)?.directed;
    const takings = open.map((turn) =>
      this.#speakers.startTurn(turn.participant, this.context, { open: turn, userInput: said[turn.participant] }),
    );
    const end =
      directed === undefined
        ? await this.#round(takings)
        : this.#orTerminated(await this.#speakers.awaitTurns(takings));
    return end ?? (directed === "pause" ? answered() : undefined);
  }

  async #deliver(message: DirectedRequest): Promise<RunEnd | undefined> {
    const { ledger } = this.#parts;
    const { message: said, then } = message;
    const { id, to } = said;
    this.#returnFromHandoff(to);
    for (const text of threadMessages(said)) ledger.record({ type: "message/added", message: text });
    ledger.record({ type: "userMessage/delivered", id, to });
    const stop = this.#checkTermination();
    if (stop !== undefined || this.context.isInterrupted) return stop;

    ledger.record({ type: "speaker/selected", participants: [to], directed: then });
    const context = this.context.child(to);
    const timer = setTimeout(() => context.interrupt({ kind: "timeout" }), message.timeoutMs);
    const taking = this.#speakers.startTurn(to, context);
    const turn = await this.#awaitAnswerTurn(taking, context).finally(() => clearTimeout(timer));
    if (context.cause?.kind === "timeout") return answerTimedOut(to);
    // The turn may have stopped before its end: cut short, let end after a thought, or to wait for the user.
    if (context.isInterrupted || ledger.state.due?.some((due) => due.id === id)) return turn;
    this.answeredResult = this.#result(answered());
    if (turn === undefined && then === "continue") message.onAnswer(this.answeredResult);
    return turn ?? (then === "pause" ? answered() : undefined);
  }

  /** Turns at once, and after them the question whether the run ends; an overlapping manager adds speakers meanwhile. */
  async #round(takings: readonly TurnHandle[]): Promise<RunEnd | undefined> {
    if (this.#parts.manager.overlaps !== true) return this.#orTerminated(await this.#speakers.awaitTurns(takings));
    return this.#speakers.awaitTurns(takings, {
      add: async (speaking) => {
        const end = this.#checkTermination();
        if (end !== undefined) return { end };
        const selection = speaking.length > 0 ? await this.#select(speaking) : undefined;
        if (selection === undefined) return { speakers: [] };
        return "end" in selection ? { end: terminated(selection.end) } : selection;
      },
    });
  }

  /** The answer to a user's message: nobody else is given the floor meanwhile. */
  async #awaitAnswerTurn(taking: TurnHandle, context = this.context): Promise<RunEnd | undefined> {
    return this.#orTerminated(await this.#speakers.awaitTurns([taking], { context }));
  }

  #orTerminated(end: RunEnd | undefined): RunEnd | undefined {
    return end ?? this.#checkTermination();
  }

  /** Whether the run ends after what has been said. */
  #checkTermination(): RunEnd | undefined {
    if (this.context.isStopping) return undefined;
    const { conditions, ledger, maxTurns } = this.#parts;
    const reason = conditions.check();
    if (reason !== null)
      return conditions.pauses ? paused(reason, { code: "interrupted", reason: BUDGET }) : terminated(reason);
    if (maxTurns !== undefined && ledger.state.turn >= maxTurns) {
      return terminated(`Maximum number of turns ${maxTurns} reached.`);
    }
    return this.#stopRequested ? terminated(EXTERNAL_STOP) : undefined;
  }

  #close(end: RunEnd): void {
    const { ledger, conditions } = this.#parts;
    const close = (draft: DurableDraft): void => ledger.recordClosing(draft);
    this.#parts.closeInner(end.resets);
    for (const draft of closingDrafts(ledger.state, abandonCall, end.resets ? "dropPending" : "keepPending"))
      close(draft);
    if (end.error !== undefined) close({ type: "error", message: messageOf(end.error), data: errorData(end.error) });
    const { stopReason, status, resets } = end;
    close({ type: "run/ended", stopReason, status, usage: this.#usage, ...(resets ? { resets } : {}) });
    if (resets) conditions.reset();
    else conditions.setExternal(false);
  }

  #result({ stopReason, status }: RunEnd): TaskResult {
    return { runId: this.id, messages: [...this.#messages], stopReason, status, usage: this.#usage };
  }
}

/** Lets the process hear of an interrupt between turns that take no time, as those of a model that answers at once. */
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function errorData(error: unknown): Record<string, unknown> {
  return error instanceof GavelError ? { ...error.data } : { code: "InternalError" };
}
