import type { DurableDraft } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { Severity, Task, TaskResult } from "../../../shared/contract/team.ts";
import { GavelError, messageOf } from "../../../shared/errors.ts";
import { StopReason } from "../../../shared/stop-reasons.ts";
import { addUsage, NO_USAGE } from "../../../shared/team-state.ts";
import { EXTERNAL_STOP } from "../conditions/external.ts";
import { newId } from "../id.ts";
import type { Manager } from "../managers/manager.ts";
import { RunContext } from "../run/run-context.ts";
import { abandon, closingDrafts, resultOf } from "./closing.ts";
import type { ConditionFeed } from "./condition-feed.ts";
import type { Ledger } from "./ledger.ts";
import { answered, answerTimedOut, awaitingTools, cutShort, failed, type RunEnd, terminated } from "./run-end.ts";
import type { TurnEnd, Turns } from "./turns.ts";

/** What a run needs of its team. */
export interface RunParts {
  readonly ledger: Ledger;
  readonly turns: Turns;
  readonly manager: Manager;
  readonly conditions: ConditionFeed;
  readonly maxTurns: number | undefined;
}

/** A user's message to one participant. */
export interface DirectedMessage {
  readonly to: string;
  readonly messages: readonly ChatMessage[];
  readonly then: "continue" | "pause";
  readonly timeoutMs: number;
  /** Called on the answer when others speak after it: with what the run came to so far. */
  readonly onAnswer: (result: TaskResult) => void;
}

/** What sets a run going. */
export type Opening =
  | { readonly cause: "run"; readonly task?: Task | undefined; readonly messages: readonly ChatMessage[] }
  | { readonly cause: "userMessage"; readonly message: DirectedMessage }
  /** Answers to pending calls; see {@link Run.answer}. */
  | { readonly cause: "tools" };

/** A late result is no longer waited for once the run goes on. */
const OUTRUN = "The user interrupted this call, and it had not ended when the talk went on.";

/** One run of a team, from what set it going to its end. */
export class Run {
  readonly id = newId("run");
  readonly context = new RunContext(this.id);
  /** How severe the interrupt is that ends it. */
  severity: Severity = "pause";
  /** True while answers to pending calls can still join it. */
  takesAnswers: boolean;
  /** What the run had come to on the answer to the user's message, also where that answer ended the run. */
  answered: TaskResult | undefined;
  /** True once {@link Run.go} was called. */
  isGoing = false;
  /** Resolves with its result, and never rejects. */
  readonly ended: Promise<TaskResult>;

  readonly #parts: RunParts;
  readonly #opening: Opening;
  readonly #answering: Promise<void>[] = [];
  readonly #messages: ChatMessage[] = [];
  readonly #resolveEnded: (result: TaskResult) => void;
  #usage = NO_USAGE;
  #stopAsked = false;

  constructor(parts: RunParts, opening: Opening) {
    this.#parts = parts;
    this.#opening = opening;
    this.takesAnswers = opening.cause === "tools";
    const { promise, resolve } = Promise.withResolvers<TaskResult>();
    this.ended = promise;
    this.#resolveEnded = resolve;
  }

  /** Tells that it begins. @throws GavelError `StorageError` when that can not be kept; the run has then not begun. */
  begin(): void {
    const { cause } = this.#opening;
    const task = this.#opening.cause === "run" ? this.#opening.task : undefined;
    this.#parts.ledger.record({ type: "run/started", cause, ...(task === undefined ? {} : { task }) }, this.id);
  }

  /** Runs the tools of an answer, beside those of others; the turns go on when all have ended. */
  answer(runTools: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const ran = runTools(this.context.signal).then(() => {});
    this.#answering.push(ran);
    return ran;
  }

  /** Runs to the end; `over` is called before {@link ended} tells of it. */
  async go(over: () => void): Promise<void> {
    this.isGoing = true;
    const { ledger } = this.#parts;
    const unlisten = ledger.onEvent((event) => {
      if (event.type === "message/added") this.#messages.push(event.message);
      const usage =
        event.type === "message/added" ? event.message.usage : event.type === "tool/requested" && event.usage;
      if (usage) this.#usage = addUsage(this.#usage, usage);
    });
    const end = await this.#flow().catch(failed);
    // A condition that has fired ends the run, also when an interrupt came just then: it can not be asked again.
    const { cause } = this.context;
    const final = cause === undefined || end.resets ? end : cutShort(cause, this.severity !== "pause");
    this.#close(final);
    unlisten();
    over();
    this.#resolveEnded(this.#result(final));
  }

  /** Ends the run when the current turns have ended. */
  askStop(): void {
    this.#stopAsked = true;
  }

  async #flow(): Promise<RunEnd> {
    this.#dropOutrunCalls();
    let end = await this.#open(this.#opening);
    while (end === undefined && !this.context.interrupted) {
      end = await this.#round(this.#parts.manager.select(this.#parts.ledger.state));
      if (end === undefined) await breath();
    }
    return end ?? cutShort({ kind: "interrupt" }, false);
  }

  #dropOutrunCalls(): void {
    const { ledger } = this.#parts;
    for (const call of ledger.state.calls) if (call.abandoned) ledger.record(resultOf(call, OUTRUN));
  }

  async #open(opening: Opening): Promise<RunEnd | undefined> {
    switch (opening.cause) {
      case "run":
        for (const message of opening.messages) this.#parts.ledger.record({ type: "message/added", message });
        return opening.messages.length > 0 ? this.#verdict() : this.#answerAgain();
      case "userMessage":
        return this.#direct(opening.message);
      case "tools":
        await this.#answersIn();
        return this.#resume();
    }
  }

  /** The answer to the user's message that an interrupt cut short, before the others go on. */
  async #answerAgain(): Promise<RunEnd | undefined> {
    const { ledger, turns } = this.#parts;
    const { unanswered } = ledger.state;
    if (unanswered === undefined) return undefined;
    const { participant, directed } = unanswered;
    ledger.record({ type: "speaker/selected", participants: [participant], directed });
    const end = await this.#together([turns.take(participant, this.context)]);
    return end ?? (directed === "pause" ? answered() : undefined);
  }

  /** Waits for the tools of all answers, those that join meanwhile among them. None joins from the moment it ends. */
  async #answersIn(): Promise<void> {
    for (let known = 0; known < this.#answering.length; ) {
      known = this.#answering.length;
      await Promise.all(this.#answering);
    }
    this.takesAnswers = false;
  }

  /** The rest of the turns that waited for the user, once every call is answered. */
  async #resume(): Promise<RunEnd | undefined> {
    const { ledger, turns } = this.#parts;
    if (this.context.interrupted || ledger.state.pendingTools.length > 0) return awaitingTools();
    const open = ledger.state.openTurns;
    const directed = open.find((turn) => turn.directed !== undefined)?.directed;
    const end = await this.#together(open.map((turn) => turns.take(turn.participant, this.context, turn)));
    return end ?? (directed === "pause" ? answered() : undefined);
  }

  async #direct(message: DirectedMessage): Promise<RunEnd | undefined> {
    const { ledger, turns } = this.#parts;
    const { to, then } = message;
    const id = newId("user");
    for (const text of message.messages) ledger.record({ type: "message/added", message: text });
    ledger.record({ type: "userMessage/delivered", id, to });
    const stop = this.#verdict();
    if (stop !== undefined || this.context.interrupted) return stop;

    ledger.record({ type: "speaker/selected", participants: [to], directed: then });
    const context = this.context.child(to);
    const timer = setTimeout(() => context.interrupt({ kind: "timeout" }), message.timeoutMs);
    const turn = await this.#together([turns.take(to, context)], context).finally(() => clearTimeout(timer));
    if (context.cause?.kind === "timeout") return answerTimedOut(to);
    if (context.interrupted || turn?.stopReason === StopReason.toolInterrupt) return turn;
    ledger.record({ type: "userMessage/answered", id, to });
    this.answered = this.#result(answered());
    if (turn === undefined && then === "continue") message.onAnswer(this.answered);
    return turn ?? (then === "pause" ? answered() : undefined);
  }

  async #round(speakers: readonly string[]): Promise<RunEnd | undefined> {
    const { ledger, turns } = this.#parts;
    ledger.record({ type: "speaker/selected", participants: [...speakers] });
    return this.#together(speakers.map((name) => turns.take(name, this.context)));
  }

  /** Waits for turns that were given at once. The first that fails interrupts the others. */
  async #together(taking: readonly Promise<TurnEnd>[], context = this.context): Promise<RunEnd | undefined> {
    const ends = await Promise.all(
      taking.map((turn) =>
        turn.catch((error: unknown) => {
          context.interrupt({ kind: "failure", error });
          throw error;
        }),
      ),
    );
    if (context.interrupted) return cutShort(context.cause ?? { kind: "interrupt" }, false);
    if (ends.includes("awaitingTools")) return awaitingTools();
    return this.#verdict();
  }

  /** Whether the run ends after what has been said. */
  #verdict(): RunEnd | undefined {
    if (this.context.interrupted) return undefined;
    const { conditions, ledger, maxTurns } = this.#parts;
    const reason = conditions.check();
    if (reason !== null) return terminated(reason);
    if (maxTurns !== undefined && ledger.state.turn >= maxTurns) {
      return terminated(`Maximum number of turns ${maxTurns} reached.`);
    }
    return this.#stopAsked ? terminated(EXTERNAL_STOP) : undefined;
  }

  #close(end: RunEnd): void {
    const { ledger, conditions } = this.#parts;
    const close = (draft: DurableDraft): void => ledger.recordClosing(draft);
    for (const draft of closingDrafts(ledger.state, abandon, end.resets ? "dropPending" : "keepPending")) close(draft);
    if (end.error !== undefined) close({ type: "error", message: messageOf(end.error), data: errorData(end.error) });
    const { stopReason, status, resets } = end;
    close({ type: "run/ended", stopReason, status, usage: this.#usage, ...(resets ? { resets } : {}) });
    if (resets) conditions.reset();
  }

  #result({ stopReason, status }: RunEnd): TaskResult {
    return { runId: this.id, messages: [...this.#messages], stopReason, status, usage: this.#usage };
  }
}

/** Lets the process hear of an interrupt between turns that take no time, as those of a model that answers at once. */
const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function errorData(error: unknown): Record<string, unknown> {
  return error instanceof GavelError ? { ...error.data } : { code: "InternalError" };
}
