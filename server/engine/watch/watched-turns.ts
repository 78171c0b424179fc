import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { Watched } from "../../../shared/contract/interrupt-rule.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import type { Upcoming, UpcomingCalls, UpcomingMessage } from "../log/upcoming.ts";
import { compilePattern, type Pattern } from "../pattern/pattern.ts";
import { PatternError } from "../pattern/pattern-error.ts";
import { TextSearch } from "../pattern/text-search.ts";
import { TextTest } from "../pattern/text-test.ts";
import type { Matching } from "../pattern/work.ts";
import type { CallTexts } from "./call-texts.ts";
import { TextScan } from "./text-scan.ts";

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
  /** The scans of its messages in progress, by message id. */
  readonly scans: Map<string, TextScan>;
}

export interface WatchedTurnsOptions {
  readonly watched: Pick<Watched, "message" | "tool" | "participant">;
  /** True for a participant of the team at that path. */
  readonly isMember: (name: string, path: readonly string[]) => boolean;
  readonly callTexts: CallTexts;
}

/** The turns in progress of a team and its nested teams, tested against the turn conditions of a rule. */
export class WatchedTurns {
  readonly #options: WatchedTurnsOptions;
  readonly #messageTest: TextTest | undefined;
  readonly #argumentTest: TextTest | undefined;
  readonly #open = new Map<string, WatchedTurn>();
  /** The last message of a source that takes no turns, as a turn. */
  #nonMemberTurn: WatchedTurn | undefined;

  constructor(options: WatchedTurnsOptions) {
    const { message, tool } = options.watched;
    this.#options = options;
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

  /** The work of testing what is about to be recorded. Once it is done, {@link onEvent} knows the result. */
  matchings(upcoming: Upcoming): Matching[] {
    if (upcoming.type === "message/added") {
      return this.#isTested(upcoming) ? matchingsOf(this.#messageTest, [textOf(upcoming.message)]) : [];
    }
    const { participant, content, calls } = upcoming;
    const isTested = content !== undefined && this.#isSource(participant, upcoming);
    return [
      ...matchingsOf(this.#messageTest, isTested ? [content] : []),
      ...matchingsOf(this.#argumentTest, this.#argumentsOf(calls)),
    ];
  }

  onEvent(event: TeamEvent): void {
    this.#nonMemberTurn = undefined;
    switch (event.type) {
      case "reasoning/start":
        this.#open.set(keyOf(event.from, event), newTurn(event.from, event, true));
        return;
      case "reasoning/conclusion":
        this.#open.delete(keyOf(event.from, event));
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
        if (event.path === undefined) this.#open.clear();
        return;
      default:
    }
  }

  #matches({ participant, messageMatched, toolMatched }: WatchedTurn): boolean {
    const { message, tool, participant: wanted } = this.#options.watched;
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
    turn.toolMatched ||= this.#matchesCalls(turn, event);
  }

  #matchesCalls(turn: WatchedTurn, { calls }: UpcomingCalls): boolean {
    if (!calls.some(({ name }) => this.#isTool(name))) return false;
    const test = this.#argumentTest;
    return test === undefined || passes(turn, test, this.#argumentsOf(calls));
  }

  /** The texts of all calls that the rule is about. */
  #argumentsOf(calls: UpcomingCalls["calls"]): readonly string[] {
    return calls.flatMap(({ name, input }) => (this.#isTool(name) ? this.#options.callTexts.of(input) : []));
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

function testOf({ contains, matches }: Pick<NonNullable<Watched["message"]>, "contains" | "matches">): TextTest {
  return new TextTest({
    contains: contains === undefined ? undefined : new TextSearch(contains),
    pattern: matches === undefined ? undefined : patternOrAny(matches),
  });
}

/** A pattern that cannot be used, such as one that an older version stored, matches any text. */
function patternOrAny(source: string): Pattern {
  try {
    return compilePattern(source);
  } catch (error) {
    if (error instanceof PatternError) return compilePattern("");
    throw error;
  }
}

const newTurn = (participant: string, { path = [] }: EventPath, isMember: boolean): WatchedTurn => ({
  participant,
  path,
  isMember,
  messageMatched: false,
  toolMatched: false,
  isUntested: false,
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
