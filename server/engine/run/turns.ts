import type { BackgroundCommand } from "../../../shared/contract/background-command.ts";
import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import { firstLine, textOf } from "../../../shared/contract/message-text.ts";
import type { OpenTurn, QueuedMessage } from "../../../shared/contract/team.ts";
import { ownValue } from "../../../shared/json-record.ts";
import { callRef } from "../calls/call-ref.ts";
import { RunContext, stopLimitOf } from "../cancellation/run-context.ts";
import { newId } from "../id.ts";
import { isAnswerWithin } from "../log/addressee.ts";
import { closingDraftsOf } from "../log/closing.ts";
import type { Ledger } from "../log/ledger.ts";
import { prepareMessages } from "../log/upcoming.ts";
import type { ContextItem } from "../model.ts";
import type { TurnOutcome, UserInput } from "../participants/participant.ts";
import {
  type CallRequest,
  callRequests,
  type ParticipantEvent,
  participantEvents,
  turnAddress,
} from "../participants/participant-container.ts";
import type { Address, Runtime } from "../runtime/runtime.ts";
import { LiveReasoning } from "./live-reasoning.ts";
import { installSummaries } from "./summaries.ts";
import type { Transcript } from "./transcript.ts";
import { REDIRECTED, type TurnEnd, TurnEnds } from "./turn-ends.ts";
import { messagesAfter, steeringFor } from "./turn-messages.ts";

export interface TurnsOptions {
  readonly teamId: string;
  readonly ledger: Ledger;
  readonly transcript: Transcript;
  readonly runtime: Runtime;
  readonly graceMs: number;
  /** The source of waiting messages that name none. */
  readonly user: () => string;
  /** Participants that need no deadline when they are aborted: nested teams, which have a grace period of their own. */
  readonly withoutDeadline: ReadonlySet<string>;
  readonly contextOf: (participant: string) => ContextDefinition | undefined;
  /** The directed messages that wait for participants of this team. */
  readonly waiting: () => readonly QueuedMessage[];
  /** The background commands of the root team. */
  readonly commands: () => readonly BackgroundCommand[] | undefined;
  /** Called when a participant has finished a turn and its message is in the thread. */
  readonly onConcluded: (name: string) => void;
}

/** An open turn to resume, and the user's input in it. */
export interface TurnResumption {
  readonly open: OpenTurn;
  readonly userInput?: UserInput | undefined;
}

export interface TurnOptions {
  readonly resumption?: TurnResumption | undefined;
  /** For a nested team: the talk before, which the participant's model is shown first. */
  readonly earlier?: readonly ContextItem[] | undefined;
}

/**
 * Runs the turns of participants and records their events; events of a turn that has ended, or was interrupted, are dropped.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #ends: TurnEnds;
  readonly #live = new Map<string, LiveReasoning>();
  readonly #resuming = new Map<string, LiveReasoning>();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#ends = new TurnEnds(options.ledger, options.onConcluded);
    const { teamId, runtime } = options;
    const address: Address<ParticipantEvent, void> = { id: `${teamId}/team` };
    runtime.register(address, (event) => this.#onEvent(event));
    runtime.subscribe(participantEvents(teamId), address);
    runtime.register(callRequests(teamId), (request) => this.#requestCalls(request), { serial: false });
    installSummaries(options, (turnId) => this.#live.get(turnId));
  }

  /**
   * Runs, or resumes, one turn of `name`; a turn that is redirected is followed by another.
   * @throws what the participant throws, unless the turn was interrupted.
   */
  async takeTurn(name: string, context: RunContext, options: TurnOptions = {}): Promise<TurnEnd> {
    const { resumption, earlier } = options;
    for (let next = resumption; ; next = undefined) {
      const end = await this.#takeSequence(name, context, { resumption: next, earlier });
      if (end !== REDIRECTED) return end;
    }
  }

  /** Closes what an interrupted turn of `name` left open, while others may still be speaking. */
  close(name: string): void {
    const { ledger } = this.#options;
    for (const draft of closingDraftsOf(ledger.state, name, "turn")) ledger.record(draft);
  }

  /** The turn with that id, while it is in progress. */
  inProgress(id: string): LiveReasoning | undefined {
    return this.#live.get(id);
  }

  /**
   * An open turn whose approved calls run before it is resumed in `run`. How it is asked to end meanwhile counts once the
   * calls have ended.
   */
  beforeResumption({ id, participant }: OpenTurn, run: { readonly ended: Promise<unknown> }): LiveReasoning {
    const known = this.#resuming.get(id);
    if (known !== undefined) return known;
    const reasoning = new LiveReasoning(id, participant, new RunContext("reasoning"));
    this.#resuming.set(id, reasoning);
    void run.ended.then(() => {
      if (this.#resuming.get(id) === reasoning) this.#resuming.delete(id);
      reasoning.end();
    });
    return reasoning;
  }

  /**
   * Runs one reasoning sequence (the MEW reasoning interruption design, DECISIONS.md) until it concludes or waits for the
   * user.
   */
  async #takeSequence(
    name: string,
    parent: RunContext,
    { resumption, earlier = [] }: TurnOptions,
  ): Promise<TurnEnd | typeof REDIRECTED> {
    const { ledger, user } = this.#options;
    if (parent.isInterrupted) return { kind: "interrupted" };
    if (resumption === undefined) {
      const steering = steeringFor(name, this.#options.waiting(), user()).flatMap(({ messages }) => messages);
      const preparing = prepareMessages(ledger, steering, parent.signal);
      if (preparing !== undefined) await preparing;
      if (parent.isInterrupted) return { kind: "interrupted" };
      this.#deliverSteering(name);
    }
    const id = resumption?.open.id ?? this.#recordStart(name);
    const context = parent.child("reasoning");
    const resuming = this.#resuming.get(id);
    // What it was asked counts once: it may wait again, and be resumed in the same run.
    this.#resuming.delete(id);
    const live = new LiveReasoning(id, name, context, resuming?.stopRequest);
    this.#live.set(id, live);
    try {
      const { runtime, graceMs, withoutDeadline, teamId, transcript, contextOf } = this.#options;
      const summarized = ownValue(ledger.state.contexts, name);
      const reading = transcript.readTurn({ participant: name, id }, contextOf(name), summarized?.summary);
      const { items: shown, steps, progress } = reading instanceof Promise ? await reading : reading;
      if (context.isInterrupted) return { kind: "interrupted" };
      const items = [...earlier, ...shown];
      const notes = ownValue(ledger.state.memories, name) ?? [];
      const plan = () => ownValue(ledger.state.plans, name);
      const thread = () => transcript.messagesFor(name);
      const { userInput } = resumption ?? {};
      const answersWithin = isAnswerWithin(ledger.state, id, name);
      const own = { notes, plan, commands: this.#options.commands(), context: summarized };
      const request = { turnId: id, earlier, items, steps, progress, ...own, thread, userInput, answersWithin };
      const taken = runtime.send(turnAddress(teamId, name), request, {
        signal: context.signal,
        soft: context.softSignal,
        ...(withoutDeadline.has(name) ? {} : { graceMs: () => Math.min(graceMs, stopLimitOf(context)) }),
      });
      // The rest of a stored history is read during the first turn; what comes after may need it.
      transcript.whenRead()?.catch(() => {});
      const outcome = await taken;
      const rest = transcript.whenRead();
      if (rest !== undefined) await rest;
      this.#keepThought(live);
      const preparing = prepareMessages(ledger, messagesAfter(outcome, live), context.signal);
      if (preparing !== undefined) await preparing;
      this.#noteStop(name, outcome);
      if (context.isInterrupted) return { kind: "interrupted" };
      if (live.stopRequest !== undefined)
        return this.#ends.concludeInterrupted(live, live.stopRequest, outcome, parent);
      return this.#ends.end(id, name, outcome);
    } catch (error) {
      this.#keepThought(live);
      if (context.isInterrupted) return { kind: "interrupted" };
      throw error;
    } finally {
      this.#live.delete(id);
      live.end();
      resuming?.end();
    }
  }

  /** Adds the user's input in a user participant's turn, and ends the turn. */
  addUserTurn(turn: OpenTurn, input: ChatMessage): void {
    this.#ends.addUserTurn(turn, input);
  }

  #recordStart(name: string): string {
    const id = newId("turn");
    const last = this.#options.ledger.state.thread.at(-1);
    const input = last === undefined ? "" : firstLine(textOf(last));
    this.#options.ledger.record({ type: "reasoning/start", id, from: name, input });
    return id;
  }

  /** Delivers the steering messages that wait for the next turn of `name`. */
  #deliverSteering(name: string): void {
    const { ledger, user } = this.#options;
    for (const { id, to, messages } of steeringFor(name, this.#options.waiting(), user())) {
      for (const message of messages) ledger.record({ type: "message/added", message });
      ledger.record({ type: "userMessage/delivered", id, ...(to === undefined ? {} : { to }) });
    }
  }

  #requestCalls(request: CallRequest): readonly string[] | undefined | Promise<readonly string[] | undefined> {
    const { turnId, draft, calls } = request;
    const signal = this.#live.get(turnId)?.context.signal;
    const preparing = this.#options.ledger.prepare({ ...draft, calls }, signal);
    return preparing === undefined ? this.#recordCalls(request) : preparing.then(() => this.#recordCalls(request));
  }

  /** Gives the calls of a turn their refs, and records them. */
  #recordCalls({ turnId, draft, calls }: CallRequest): readonly string[] | undefined {
    const { ledger } = this.#options;
    const live = this.#live.get(turnId);
    const { run } = ledger.state;
    if (live === undefined || live.context.isInterrupted || run === null) return undefined;
    const named = calls.map((call, at) => ({ ref: callRef(ledger.nextSeq, at + 1, run.runId), ...call }));
    const { type, participant, ...more } = draft;
    ledger.record({ type, participant, calls: named, ...more });
    return named.map(({ ref }) => ref);
  }

  #onEvent({ turnId, draft }: ParticipantEvent): void {
    if (turnId === undefined) {
      if ("ref" in draft && this.#isCallOpen(draft.ref)) this.#options.ledger.record(draft);
      return;
    }
    const live = this.#live.get(turnId);
    if (live === undefined || live.context.isInterrupted) return;
    live.noteThought(draft);
    this.#options.ledger.record(draft);
  }

  /** Tells the user how a turn stopped, where that is not how it should. */
  #noteStop(participant: string, outcome: TurnOutcome): void {
    if (outcome.kind !== "interrupted" || outcome.note === undefined) return;
    this.#options.ledger.record({ type: "error", message: outcome.note, participant, data: { code: "AgentError" } });
  }

  /** Keeps what came of a thought that an interrupt or an error cut short, as text that was streamed is kept. */
  #keepThought(live: LiveReasoning): void {
    const message = live.takeThought();
    if (message.trim() === "") return;
    this.#options.ledger.record({
      type: "reasoning/thought",
      from: live.participant,
      correlation_id: [live.id],
      message,
    });
  }

  /** False for a call that has its result already: a later result is ignored. */
  #isCallOpen(ref: string): boolean {
    return this.#options.ledger.state.calls.some((call) => call.ref === ref);
  }
}
