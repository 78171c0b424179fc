import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { Watched } from "../../../shared/contract/interrupt-rule.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import type { Upcoming, UpcomingCalls, UpcomingMessage } from "../log/upcoming.ts";
import type { TextTest } from "../pattern/text-test.ts";
import type { Matching } from "../pattern/work.ts";
import type { CallTexts } from "./call-texts.ts";
import { type RestoreStopped, StoppedTurns, type WatchedCall, withoutPassed } from "./stopped-turns.ts";
import { TextScan } from "./text-scan.ts";
import { testOf } from "./turn-tests.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;
type EventPath = Pick<TeamEvent, "path">;

/** A turn, and which tests of a rule it has passed. */
export interface WatchedTurn {
  readonly participant: string;
  /** The participants that lead to its team, from the team that has the rule. */
  readonly path: readonly string[];
  /** False for a source that takes no turns, such as the user. */
  readonly isMember: boolean;
  messageMatched: boolean;
  toolMatched: boolean;
  /** True if a test took too long. It then counts as passed. */
  isUntested: boolean;
  /** The calls that it passes, as it continues a turn that the rule stopped; undefined for any other turn. */
  passes: readonly WatchedCall[] | undefined;
  /** The calls that passed the rule's test. */
  matchedCalls: readonly WatchedCall[];
  /** The scans of its messages in progress, by message id. */
  readonly scans: Map<string, TextScan>;
}

export interface WatchedTurnsOptions {
  readonly watched: Pick<Watched, "message" | "tool" | "participant">;
  /** True for a participant of the team at that path. */
  readonly isMember: (name: string, path: readonly string[]) => boolean;
  readonly callTexts: CallTexts;
  readonly restoreStopped?: RestoreStopped | undefined;
}

/** The turns in progress of a team and its nested teams, tested against the turn conditions of a rule. */
export class WatchedTurns {
  readonly #options: WatchedTurnsOptions;
  readonly #messageTest: TextTest | undefined;
  readonly #argumentTest: TextTest | undefined;
  readonly #open = new Map<string, WatchedTurn>();
  readonly #stopped: StoppedTurns;
  /** Whose turn answers a directed message: it continues no turn that such a message interrupted. */
  readonly #directed = new Set<string>();
  /** The last message of a source that takes no turns, as a turn. */
  #nonMemberTurn: WatchedTurn | undefined;

  constructor(options: WatchedTurnsOptions) {
    const { message, tool } = options.watched;
    this.#options = options;
    this.#stopped = new StoppedTurns(options.restoreStopped);
    this.#messageTest = message && testOf(message);
    this.#argumentTest = tool?.arguments && testOf(tool.arguments);
  }

  /** True when the rule has turn conditions. */
  get hasTurnTests(): boolean {
    const { message, tool, participant } = this.#options.watched;
    return message !== undefined || tool !== undefined || participant !== undefined;
  }

  /** The first turn that passes all turn conditions of the rule. */
  findMatch(): WatchedTurn | undefined {
    const turns =
      this.#nonMemberTurn === undefined ? this.#open.values() : [this.#nonMemberTurn, ...this.#open.values()];
    for (const turn of turns) if (this.#matches(turn)) return turn;
    return undefined;
  }

  /** The rule stops a turn: when the run goes on, it passes with the same calls. */
  stop(turn: WatchedTurn): void {
    turn.passes = [...(turn.passes ?? []), ...turn.matchedCalls];
    turn.messageMatched = false;
    turn.toolMatched = false;
  }

  /** The work of testing what is about to be recorded. Once it is done, {@link onEvent} knows the result. */
  matchings(upcoming: Upcoming): Matching[] {
    if (upcoming.type === "message/added") {
      return this.#isTested(upcoming) ? matchingsOf(this.#messageTest, [textOf(upcoming.message)]) : [];
    }
    const { participant, content } = upcoming;
    const isTested = content !== undefined && this.#isSource(participant, upcoming);
    return [
      ...matchingsOf(this.#messageTest, isTested ? [content] : []),
      ...matchingsOf(this.#argumentTest, this.#argumentsOf(this.#callsToTest(participant, upcoming).calls)),
    ];
  }

  onEvent(event: TeamEvent): void {
    this.#nonMemberTurn = undefined;
    switch (event.type) {
      case "speaker/selected":
        this.#onSelected(event);
        return;
      case "reasoning/start":
        this.#onStart(event);
        return;
      case "reasoning/conclusion":
        this.#onConclusion(event);
        return;
      case "message/started":
        this.#onStarted(event);
        return;
      case "message/chunk":
        this.#onChunk(event);
        return;
      case "message/added":
        this.#onMessage(event);
        return;
      case "tool/requested":
        this.#onCalls(event);
        return;
      case "team/reset":
      case "state/loaded":
        if (event.path !== undefined) return;
        this.#open.clear();
        this.#stopped.clear();
        return;
      case "run/ended":
        if (event.path === undefined && event.resets) this.#stopped.clear();
        return;
      default:
    }
  }

  #matches({ participant, messageMatched, toolMatched, passes: passed }: WatchedTurn): boolean {
    const { message, tool, participant: wanted } = this.#options.watched;
    // Without a call in question, it is the turn that passes.
    if (tool === undefined && passed !== undefined) return false;
    return (
      (message === undefined || messageMatched) &&
      (tool === undefined || toolMatched) &&
      (wanted === undefined || [wanted].flat().includes(participant))
    );
  }

  /** A turn that started before the watch is added with its first event. */
  #turnOf(name: string, place: EventPath): WatchedTurn | undefined {
    const key = keyOf(name, place);
    const known = this.#open.get(key);
    if (known !== undefined || !this.#options.isMember(name, place.path ?? [])) return known;
    const turn = newTurn(name, place, true);
    this.#open.set(key, turn);
    return turn;
  }

  #onStart(event: EventOf<"reasoning/start">): void {
    const key = keyOf(event.from, event);
    const passed = this.#stopped.start(this.#sequenceOf(key), event);
    this.#open.set(key, { ...newTurn(event.from, event, true), passes: passed });
  }

  #onConclusion(event: EventOf<"reasoning/conclusion">): void {
    const key = keyOf(event.from, event);
    const isCut = event.interrupted === true && event.complete !== true;
    this.#stopped.end(this.#sequenceOf(key), this.#open.get(key)?.passes, isCut);
    this.#open.delete(key);
  }

  #onSelected({ participants, directed, path }: EventOf<"speaker/selected">): void {
    for (const name of participants) {
      if (directed === undefined) this.#directed.delete(keyOf(name, { path }));
      else this.#directed.add(keyOf(name, { path }));
    }
  }

  /** Turns with the same key continue each other. */
  #sequenceOf(key: string): string {
    return this.#directed.has(key) ? `${key} (directed)` : key;
  }

  #onStarted(event: EventOf<"message/started">): void {
    const test = this.#messageTest;
    if (test === undefined || !this.#isSource(event.source, event)) return;
    this.#messageTurn(event.source, event).scans.set(event.messageId, new TextScan(test.condition));
  }

  #onChunk({ source, messageId, delta, path }: EventOf<"message/chunk">): void {
    const turn = this.#open.get(keyOf(source, { path }));
    const scan = turn?.scans.get(messageId);
    if (turn === undefined || scan === undefined || turn.messageMatched) return;
    scan.add(delta);
    turn.messageMatched = scan.isMatched;
  }

  #onMessage(event: UpcomingMessage): void {
    const test = this.#messageTest;
    if (this.#isTask(event)) this.#stopped.clear();
    if (test === undefined || !this.#isTested(event)) return;
    const { message, path } = event;
    const { source } = message;
    const key = keyOf(source, { path });
    const turn = this.#open.get(key) ?? newTurn(source, { path }, false);
    turn.messageMatched ||= passes(turn, test, [textOf(message)]);
    turn.scans.delete(message.id);
    if (turn.isMember) return;
    this.#open.delete(key);
    this.#nonMemberTurn = turn;
  }

  /** True for what no participant says in its turn, and the user does not say to one alone. */
  #isTask({ message: { source, metadata }, path }: UpcomingMessage): boolean {
    return path === undefined && metadata?.["to"] === undefined && !this.#open.has(keyOf(source, {}));
  }

  #isTested({ message: { source, partial }, path }: UpcomingMessage): boolean {
    if (partial || !this.#isSource(source, { path })) return false;
    // Messages of the outer team are added to the thread of a nested team too; they count only where they were said.
    return path === undefined || this.#open.has(keyOf(source, { path }));
  }

  #onCalls(event: EventOf<"tool/requested">): void {
    const test = this.#messageTest;
    const turn = this.#turnOf(event.participant, event);
    if (turn === undefined) return;
    if (test !== undefined && this.#isSource(event.participant, event)) {
      turn.messageMatched ||= event.content !== undefined && passes(turn, test, [event.content]);
    }
    turn.scans.clear();
    const { calls, left } = this.#callsToTest(event.participant, event);
    if (turn.passes !== undefined) turn.passes = left;
    if (!this.#matchesCalls(turn, calls)) return;
    turn.toolMatched = true;
    turn.matchedCalls = calls;
  }

  #matchesCalls(turn: WatchedTurn, calls: readonly WatchedCall[]): boolean {
    if (calls.length === 0) return false;
    const test = this.#argumentTest;
    return test === undefined || passes(turn, test, this.#argumentsOf(calls));
  }

  /** The calls that the rule is about, without those that the turn passes. */
  #callsToTest(participant: string, { calls, path }: Pick<UpcomingCalls, "calls" | "path">) {
    const named = calls.filter(({ name }) => this.#isTool(name));
    return withoutPassed(named, this.#open.get(keyOf(participant, { path }))?.passes);
  }

  #argumentsOf(calls: readonly WatchedCall[]): readonly string[] {
    return calls.flatMap(({ input }) => this.#options.callTexts.of(input));
  }

  #isTool(name: string): boolean {
    const { tool } = this.#options.watched;
    return tool !== undefined && (tool.name === undefined || [tool.name].flat().includes(name));
  }

  /** True if messages of that source are tested: those of participants, or of the sources that the rule names. */
  #isSource(source: string, { path = [] }: EventPath): boolean {
    const sources = this.#options.watched.message?.sources;
    return sources === undefined ? this.#options.isMember(source, path) : sources.includes(source);
  }

  #messageTurn(source: string, place: EventPath): WatchedTurn {
    const key = keyOf(source, place);
    const turn = this.#open.get(key) ?? newTurn(source, place, this.#options.isMember(source, place.path ?? []));
    this.#open.set(key, turn);
    return turn;
  }
}

const newTurn = (participant: string, { path = [] }: EventPath, isMember: boolean): WatchedTurn => ({
  participant,
  path,
  isMember,
  messageMatched: false,
  toolMatched: false,
  isUntested: false,
  passes: undefined,
  matchedCalls: [],
  scans: new Map(),
});

/** Whether one of the texts passes, or cannot be tested. */
function passes(turn: WatchedTurn, test: TextTest, texts: readonly string[]): boolean {
  const verdict = test.passes(texts);
  turn.isUntested ||= verdict === undefined;
  return verdict ?? true;
}

const matchingsOf = (test: TextTest | undefined, texts: readonly string[]): Matching[] =>
  test === undefined || texts.length === 0 ? [] : [test.matching(texts)];

const keyOf = (name: string, { path = [] }: EventPath): string => [...path, name].join("/");
