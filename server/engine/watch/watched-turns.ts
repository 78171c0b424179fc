import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { Watched } from "../../../shared/contract/interrupt-rule.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import { textsIn } from "../json-texts.ts";
import { type CompiledTest, compileTest, matchesTest, TextScan } from "./text-scan.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;
type EventPath = Pick<TeamEvent, "path">;

/** A turn, and which tests of a rule it has passed. */
export interface WatchedTurn {
  readonly participant: string;
  /** False for a source that takes no turns, such as the user. */
  readonly isMember: boolean;
  messageMatched: boolean;
  toolMatched: boolean;
  /** The scans of its messages in progress, by message id. */
  readonly scans: Map<string, TextScan>;
}

export interface WatchedTurnsOptions {
  readonly watched: Pick<Watched, "message" | "tool" | "participant">;
  /** True for a participant of the team at that path. */
  readonly isMember: (name: string, path: readonly string[]) => boolean;
}

/** The turns in progress of a team and its nested teams, tested against the turn conditions of a rule. */
export class WatchedTurns {
  readonly #options: WatchedTurnsOptions;
  readonly #messageTest: CompiledTest | undefined;
  readonly #argumentTest: CompiledTest | undefined;
  readonly #open = new Map<string, WatchedTurn>();
  /** The last message of a source that takes no turns, as a turn. */
  #nonMemberTurn: WatchedTurn | undefined;

  constructor(options: WatchedTurnsOptions) {
    const { message, tool } = options.watched;
    this.#options = options;
    this.#messageTest = message && compileTest(message);
    this.#argumentTest = tool?.arguments && compileTest(tool.arguments);
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

  onEvent(event: TeamEvent): void {
    this.#nonMemberTurn = undefined;
    switch (event.type) {
      case "reasoning/start":
        this.#open.set(keyOf(event.from, event), newTurn(event.from, true));
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
    const turn = newTurn(name, true);
    this.#open.set(key, turn);
    return turn;
  }

  #onStarted(event: EventOf<"message/started">): void {
    const test = this.#messageTest;
    if (test === undefined || !this.#isSource(event.source, event)) return;
    this.#messageTurn(event.source, event).scans.set(event.messageId, new TextScan(test));
  }

  #onChunk({ source, messageId, delta, path }: EventOf<"message/chunk">): void {
    const turn = this.#open.get(keyOf(source, { path }));
    const scan = turn?.scans.get(messageId);
    if (turn === undefined || scan === undefined || turn.messageMatched) return;
    scan.add(delta);
    turn.messageMatched = scan.isMatched;
  }

  #onMessage({ message, path }: EventOf<"message/added">): void {
    const test = this.#messageTest;
    const { source, partial } = message;
    const key = keyOf(source, { path });
    const open = this.#open.get(key);
    if (test === undefined || partial || !this.#isSource(source, { path })) return;
    // Messages of the outer team are added to the thread of a nested team too; they count only where they were said.
    if (open === undefined && path !== undefined) return;
    const turn = open ?? newTurn(source, false);
    turn.messageMatched ||= matchesTest(textOf(message), test);
    turn.scans.delete(message.id);
    if (turn.isMember) return;
    this.#open.delete(key);
    this.#nonMemberTurn = turn;
  }

  #onCalls(event: EventOf<"tool/requested">): void {
    const test = this.#messageTest;
    const turn = this.#turnOf(event.participant, event);
    if (turn === undefined) return;
    if (test !== undefined && this.#isSource(event.participant, event)) {
      turn.messageMatched ||= event.content !== undefined && matchesTest(event.content, test);
    }
    turn.scans.clear();
    turn.toolMatched ||= event.calls.some(({ name, input }) => this.#isCall(name, input));
  }

  #isCall(name: string, input: unknown): boolean {
    const { tool } = this.#options.watched;
    if (tool === undefined || (tool.name !== undefined && ![tool.name].flat().includes(name))) return false;
    const test = this.#argumentTest;
    // The strings are tested too, because JSON escapes some characters.
    return (
      test === undefined || [JSON.stringify(input) ?? "", ...textsIn(input)].some((text) => matchesTest(text, test))
    );
  }

  /** True if messages of that source are tested: those of participants, or of the sources that the rule names. */
  #isSource(source: string, { path = [] }: EventPath): boolean {
    const sources = this.#options.watched.message?.sources;
    return sources === undefined ? this.#options.isMember(source, path) : sources.includes(source);
  }

  #messageTurn(source: string, place: EventPath): WatchedTurn {
    const key = keyOf(source, place);
    const turn = this.#open.get(key) ?? newTurn(source, this.#options.isMember(source, place.path ?? []));
    this.#open.set(key, turn);
    return turn;
  }
}

const newTurn = (participant: string, isMember: boolean): WatchedTurn => ({
  participant,
  isMember,
  messageMatched: false,
  toolMatched: false,
  scans: new Map(),
});

const keyOf = (name: string, { path = [] }: EventPath): string => [...path, name].join("/");
