import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { Watched } from "../../../shared/contract/interrupt-rule.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import { meets, TextScan } from "./text-scan.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;
type Place = Pick<TeamEvent, "path">;

/** A turn, and what of a rule came true in it. */
export interface WatchedTurn {
  readonly participant: string;
  /** False of somebody who speaks and takes no turns, such as the user. */
  readonly isMember: boolean;
  said: boolean;
  called: boolean;
  /** What is being said in it, by message. */
  readonly scans: Map<string, TextScan>;
}

export interface WatchedTurnsOptions {
  readonly watched: Pick<Watched, "message" | "tool" | "participant">;
  /** True of a participant of the team at that path. */
  readonly isMember: (name: string, path: readonly string[]) => boolean;
}

/** The turns in progress, of a team and of those within it, with what a rule says of turns. */
export class WatchedTurns {
  readonly #options: WatchedTurnsOptions;
  readonly #open = new Map<string, WatchedTurn>();
  /** What somebody has said who takes no turns. */
  #aside: WatchedTurn | undefined;

  constructor(options: WatchedTurnsOptions) {
    this.#options = options;
  }

  /** True when the rule says something of turns. */
  get isAsked(): boolean {
    const { message, tool, participant } = this.#options.watched;
    return message !== undefined || tool !== undefined || participant !== undefined;
  }

  /** Whose turn meets all that the rule says of a turn. */
  find(): WatchedTurn | undefined {
    const turns = this.#aside === undefined ? this.#open.values() : [this.#aside, ...this.#open.values()];
    for (const turn of turns) if (this.#holds(turn)) return turn;
    return undefined;
  }

  take(event: TeamEvent): void {
    this.#aside = undefined;
    switch (event.type) {
      case "reasoning/start":
        this.#open.set(keyOf(event.from, event), newTurn(event.from, true));
        return;
      case "reasoning/conclusion":
        this.#open.delete(keyOf(event.from, event));
        return;
      case "message/started":
        this.#begin(event);
        return;
      case "message/chunk":
        this.#hear(event);
        return;
      case "message/added":
        this.#heardWhole(event);
        return;
      case "tool/requested":
        this.#called(event);
        return;
      case "team/reset":
      case "state/loaded":
        if (event.path === undefined) this.#open.clear();
        return;
      default:
    }
  }

  #holds({ participant, said, called }: WatchedTurn): boolean {
    const { message, tool, participant: wanted } = this.#options.watched;
    return (
      (message === undefined || said) &&
      (tool === undefined || called) &&
      (wanted === undefined || [wanted].flat().includes(participant))
    );
  }

  /** A turn that was begun before the watch is known from the first thing on that happens in it. */
  #turnOf(name: string, place: Place): WatchedTurn | undefined {
    const key = keyOf(name, place);
    const known = this.#open.get(key);
    if (known !== undefined || !this.#options.isMember(name, place.path ?? [])) return known;
    const turn = newTurn(name, true);
    this.#open.set(key, turn);
    return turn;
  }

  #begin(event: EventOf<"message/started">): void {
    const { message } = this.#options.watched;
    if (message === undefined || !this.#counts(event.source, event)) return;
    this.#speakerOf(event.source, event).scans.set(event.messageId, new TextScan(message));
  }

  #hear({ source, messageId, delta, path }: EventOf<"message/chunk">): void {
    const turn = this.#open.get(keyOf(source, { path }));
    const scan = turn?.scans.get(messageId);
    if (turn === undefined || scan === undefined || turn.said) return;
    scan.take(delta);
    turn.said = scan.isMet;
  }

  #heardWhole({ message, path }: EventOf<"message/added">): void {
    const { message: test } = this.#options.watched;
    const { source, partial } = message;
    const key = keyOf(source, { path });
    const open = this.#open.get(key);
    if (test === undefined || partial || !this.#counts(source, { path })) return;
    // What was said in the team around comes to the thread of a nested one too, and counts where it was said.
    if (open === undefined && path !== undefined) return;
    const turn = open ?? newTurn(source, false);
    turn.said ||= meets(textOf(message), test);
    turn.scans.delete(message.id);
    if (turn.isMember) return;
    this.#open.delete(key);
    this.#aside = turn;
  }

  #called(event: EventOf<"tool/requested">): void {
    const { message, tool } = this.#options.watched;
    const turn = this.#turnOf(event.participant, event);
    if (turn === undefined) return;
    if (message !== undefined && this.#counts(event.participant, event)) {
      turn.said ||= event.content !== undefined && meets(event.content, message);
    }
    turn.scans.clear();
    turn.called ||= tool !== undefined && event.calls.some(({ name, input }) => isCallOf(tool, name, input));
  }

  /** Whose messages are looked at: those of participants, or of those whom the rule names. */
  #counts(source: string, { path = [] }: Place): boolean {
    const sources = this.#options.watched.message?.sources;
    return sources === undefined ? this.#options.isMember(source, path) : sources.includes(source);
  }

  #speakerOf(source: string, place: Place): WatchedTurn {
    const key = keyOf(source, place);
    const turn = this.#open.get(key) ?? newTurn(source, this.#options.isMember(source, place.path ?? []));
    this.#open.set(key, turn);
    return turn;
  }
}

const newTurn = (participant: string, isMember: boolean): WatchedTurn => ({
  participant,
  isMember,
  said: false,
  called: false,
  scans: new Map(),
});

const keyOf = (name: string, { path = [] }: Place): string => [...path, name].join("/");

function isCallOf(tool: NonNullable<Watched["tool"]>, name: string, input: unknown): boolean {
  if (tool.name !== undefined && ![tool.name].flat().includes(name)) return false;
  const test = tool.arguments;
  return test === undefined || [JSON.stringify(input) ?? "", ...textsIn(input)].some((text) => meets(text, test));
}

/** Every text in a value: JSON writes some of their letters in another way. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
