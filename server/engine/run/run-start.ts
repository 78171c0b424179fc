import type { ChatMessage } from "../../../shared/contract/message.ts";
import { StopReason } from "../../../shared/contract/stop-reasons.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import { ownValue } from "../../../shared/json-record.ts";
import type { RunContext } from "../cancellation/run-context.ts";
import { hasAddressee, threadMessages, userMessage } from "../context/user-message.ts";
import { addresseeOf, dueWithin, memberFor } from "../log/addressee.ts";
import { whoHandedOver } from "../log/handoffs.ts";
import { prepareMessages } from "../log/upcoming.ts";
import type { UserInput } from "../participants/participant.ts";
import { answered, answerTimedOut, awaitingTools, type RunEnd } from "./run-end.ts";
import type { RunParts } from "./run-parts.ts";
import { ANSWER_TIMEOUT_MS, type DirectedRequest, type RunTrigger } from "./run-trigger.ts";
import type { Speakers } from "./speakers.ts";
import type { TurnFlow } from "./turn-flow.ts";

export interface RunStartOptions {
  readonly parts: RunParts;
  readonly context: RunContext;
  readonly speakers: Speakers;
  readonly flow: TurnFlow;
  /** Resolves when the tools of all answers to pending calls have ended. */
  readonly awaitAnswers: () => Promise<void>;
  /** Called when the user's message was answered; returns the result of the run so far. */
  readonly onAnswered: () => TaskResult;
}

/** The first step of a run: what its trigger asks for, before the manager selects speakers. */
export class RunStart {
  readonly #options: RunStartOptions;

  constructor(options: RunStartOptions) {
    this.#options = options;
  }

  /**
   * Carries out the trigger, then delivers the messages that have waited since an earlier run. Undefined if the run goes on
   * with the selection of its manager.
   */
  async start(trigger: RunTrigger): Promise<RunEnd | undefined> {
    const waiting = this.#waitingFor(trigger);
    const end = await this.#carryOut(trigger);
    if (end !== undefined || waiting.length === 0) return end;
    // A run without a task first continues where the run before was cut short.
    return (continues(trigger) ? await this.#options.flow.next() : undefined) ?? this.#deliverWaiting(waiting);
  }

  /**
   * The messages that wait because the run before was cut short. Those that come after each other have a run each, and the
   * answers to pending calls continue the run that the messages wait for.
   */
  #waitingFor(trigger: RunTrigger): readonly string[] {
    const hasWaited = "request" in trigger ? trigger.request.waited : "waited" in trigger;
    const isOwn = trigger.cause === "run" || "request" in trigger;
    if (hasWaited) return [];
    if (!isOwn) return [];
    const { queued } = this.#options.parts.ledger.state;
    return queued.filter(({ delivery }) => delivery === "queue").map(({ id }) => id);
  }

  /** Delivers these messages, one after the other, as far as they still wait. */
  async #deliverWaiting(ids: readonly string[]): Promise<RunEnd | undefined> {
    const { parts, context } = this.#options;
    for (const id of ids) {
      const waiting = parts.ledger.state.queued.find((message) => message.id === id);
      if (waiting === undefined) continue;
      if (context.isStopping) return undefined;
      if (!hasAddressee(waiting)) {
        const end = await this.#addMessages(threadMessages(userMessage(waiting, parts.user())), id);
        if (end !== undefined) return end;
        continue;
      }
      const message = userMessage(waiting, parts.user());
      const { timeoutMs = ANSWER_TIMEOUT_MS } = waiting;
      // Whatever was to follow the answer, the user has started a run meanwhile, and it goes on.
      // biome-ignore lint/suspicious/noThenProperty: the name of the field in the protocol
      const end = await this.#deliver({ message, then: "continue", timeoutMs, waited: true });
      if (end !== undefined && end.stopReason !== StopReason.userMessageTimeout) return end;
    }
    return undefined;
  }

  async #carryOut(trigger: RunTrigger): Promise<RunEnd | undefined> {
    switch (trigger.cause) {
      case "run":
        if ("userInput" in trigger) return this.#applyUserInput(trigger.userInput, trigger.message);
        return this.#startTask(trigger.messages, trigger.waited);
      case "userMessage":
        return "request" in trigger ? this.#deliver(trigger.request) : this.#answerDue();
      case "tools":
        await this.#options.awaitAnswers();
        return this.#resumeOpenTurns();
    }
  }

  async #startTask(messages: readonly ChatMessage[], waited?: string): Promise<RunEnd | undefined> {
    this.#returnFromHandoff();
    if (messages.length > 0) return this.#addMessages(messages, waited);
    return (this.#isMidMessage() ? undefined : this.#options.flow.checkTermination()) ?? this.#retryUnanswered();
  }

  /** Adds messages to the thread; `waited` is the id of the waiting message that they are. */
  async #addMessages(messages: readonly ChatMessage[], waited: string | undefined): Promise<RunEnd | undefined> {
    const { parts, context, flow } = this.#options;
    for (const message of messages) {
      const preparing = prepareMessages(parts.ledger, [message], context.signal);
      if (preparing !== undefined) await preparing;
      parts.ledger.record({ type: "message/added", message });
    }
    if (waited !== undefined) parts.ledger.record({ type: "userMessage/delivered", id: waited });
    return flow.checkTermination();
  }

  /**
   * True if an interrupt cut the last message short: its speaker continues first, and the conditions are checked after that.
   */
  #isMidMessage(): boolean {
    return this.#options.parts.ledger.state.thread.at(-1)?.partial === true;
  }

  /** Adds the user's input in a user participant's turn, then resumes the turns that were open beside it. */
  async #applyUserInput(input: UserInput, message: ChatMessage): Promise<RunEnd | undefined> {
    const { parts, context, flow } = this.#options;
    const preparing = prepareMessages(parts.ledger, [message], context.signal);
    if (preparing !== undefined) await preparing;
    const { openTurns } = parts.ledger.state;
    const waiting = openTurns.find(({ awaits }) => awaits !== undefined);
    if (waiting === undefined) return undefined;
    if (waiting.awaits?.path === undefined) parts.turns.addUserTurn(waiting, message);
    const end = flow.checkTermination();
    if (end !== undefined) return end;
    return this.#resumeOpenTurns({ [waiting.participant]: input });
  }

  /** After a handoff out of the team, returns the turn to `to`, or to the participant that handed over. */
  #returnFromHandoff(to?: string): void {
    const { ledger } = this.#options.parts;
    const { handoffTo, participants } = ledger.state;
    if (handoffTo === undefined || participants.some(({ name }) => name === handoffTo)) return;
    const back = to ?? whoHandedOver(ledger.state);
    if (back !== undefined) ledger.record({ type: "handoff", from: handoffTo, to: back });
  }

  /** Repeats the turn that answers a directed message, if an interrupt cut it short, before others speak. */
  async #retryUnanswered(): Promise<RunEnd | undefined> {
    const { parts, speakers, flow } = this.#options;
    const { unanswered, participants } = parts.ledger.state;
    if (unanswered === undefined) return undefined;
    const { participant, directed } = unanswered;
    if (!participants.some(({ name }) => name === participant)) return undefined;
    parts.ledger.record({ type: "speaker/selected", participants: [participant], directed });
    const end = await flow.fixedRound([speakers.startTurn(participant)]);
    return end ?? (directed === "pause" ? answered() : undefined);
  }

  /** Resumes the turns that waited for the user, once no call is pending; `inputs` holds the user's input by participant. */
  async #resumeOpenTurns(inputs: Readonly<Record<string, UserInput>> = {}): Promise<RunEnd | undefined> {
    const { parts, context, speakers, flow } = this.#options;
    const { state } = parts.ledger;
    if (context.isInterrupted || state.pendingTools.length > 0) return awaitingTools();
    const open = state.openTurns.filter(
      ({ awaits, participant }) => awaits === undefined || Object.hasOwn(inputs, participant),
    );
    if (open.length === 0) return undefined;
    const directed = open.every((turn) => turn.directed !== undefined) ? open[0]?.directed : undefined;
    const turns = open.map((turn) =>
      speakers.startTurn(turn.participant, context, { open: turn, userInput: ownValue(inputs, turn.participant) }),
    );
    const end = directed === undefined ? await flow.round(turns) : await flow.fixedRound(turns);
    return end ?? (directed === "pause" ? answered() : undefined);
  }

  /** For a nested team: has the message answered that it has got, by its addressee alone. */
  async #answerDue(): Promise<RunEnd | undefined> {
    const { parts, speakers, flow } = this.#options;
    const addressee = dueWithin(parts.ledger.state);
    if (addressee === undefined) return answered();
    const member = memberFor(addressee);
    this.#returnFromHandoff(member);
    const isBeside = parts.ledger.state.pendingTools.length > 0;
    if (this.#options.context.isInterrupted) return undefined;
    const stop = isBeside || this.#isMidMessage() ? undefined : flow.checkTermination();
    if (stop !== undefined) return stop;
    parts.ledger.record({ type: "speaker/selected", participants: [member], directed: "pause" });
    const turns = [speakers.startTurn(member)];
    return (await (isBeside ? speakers.awaitTurns(turns) : flow.fixedRound(turns))) ?? answered();
  }

  /** Delivers a directed message and waits for the answer; no other participant speaks meanwhile. */
  async #deliver({ message, then, timeoutMs, onAnswer }: DirectedRequest): Promise<RunEnd | undefined> {
    const { parts, context: runContext, speakers, flow } = this.#options;
    const { ledger } = parts;
    const { id, to } = message;
    const addressee = addresseeOf(ledger.state, to);
    const member = memberFor(addressee);
    const place = addressee.path.reduce((outer, name) => outer.nested(name), ledger);
    const texts = threadMessages({ ...message, to: addressee.name });
    const preparing = prepareMessages(ledger, texts, runContext.signal);
    if (preparing !== undefined) await preparing;
    this.#returnFromHandoff(member);
    for (const text of texts) place.record({ type: "message/added", message: text });
    place.record({ type: "userMessage/delivered", id, to: addressee.name });
    // Beside calls that wait, the conditions are checked once these are decided: they would end what waits.
    const isBeside = ledger.state.pendingTools.length > 0;
    const stop = isBeside ? undefined : flow.checkTermination();
    if (stop !== undefined || runContext.isInterrupted) return stop;

    ledger.record({ type: "speaker/selected", participants: [member], directed: then });
    const context = runContext.child(member);
    const timer = setTimeout(() => context.interrupt({ kind: "timeout" }), timeoutMs);
    const turns = [speakers.startTurn(member, context)];
    const taken = isBeside ? speakers.awaitTurns(turns, { context }) : flow.fixedRound(turns, context);
    const end = await taken.finally(() => clearTimeout(timer));
    if (isBeside) await this.#options.awaitAnswers();
    if (context.cause?.kind === "timeout") return answerTimedOut(to);
    // The turn may have stopped before its end: interrupted, wound down after a thought, or waiting for the user.
    if (end?.isUnanswered || context.isInterrupted || place.state.due?.some((due) => due.id === id)) return end;
    if (onAnswer !== undefined) {
      const result = this.#options.onAnswered();
      if (end === undefined && (then === "continue" || isBeside)) onAnswer(result);
    }
    if (isBeside && end === undefined) return this.#goOnBeside(then);
    return end ?? (then === "pause" ? answered() : undefined);
  }

  /** After an answer beside waiting calls: the decisions on them may have come meanwhile; if not, they are waited for. */
  #goOnBeside(then: DirectedRequest["then"]): Promise<RunEnd | undefined> {
    const { parts, flow } = this.#options;
    const isWaiting = parts.ledger.state.pendingTools.length > 0 && then === "continue";
    return isWaiting ? flow.next() : this.#resumeOpenTurns();
  }
}

const continues = (trigger: RunTrigger): boolean =>
  trigger.cause === "run" && "messages" in trigger && trigger.messages.length === 0;
