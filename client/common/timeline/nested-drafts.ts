import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { TeamItem, TimelineItem } from "./items.ts";
import type { OpenTeam } from "./open-items.ts";
import type { Timeline } from "./timeline.ts";

/** What a draft offers, so that the drafts of its nested teams can be kept without knowing the draft's class. */
interface Draft<D> {
  readonly items: TimelineItem[];
  push(item: TimelineItem): void;
  change(kind: "team", key: string, change: (item: TeamItem) => TeamItem): void;
  nestedDraft(timeline?: Pick<Timeline, "items" | "open">): D;
  hasCall(ref: string): boolean;
  endRun(teams: TeamItem["state"]): void;
  endThread(): void;
  finish(events: readonly DurableEvent[]): Timeline;
}

interface NestedDraft<D> {
  readonly participant: string;
  readonly over: boolean;
  readonly draft: D;
}

/** The nested teams of a timeline draft: each is a draft itself, which `finish` writes back into the team's item. */
export class NestedDrafts<D extends Draft<D>> {
  readonly #parent: D;
  readonly #open: Map<string, OpenTeam>;
  /** The drafts made so far, by item key. They replace the entries of `#open`. */
  readonly #drafts = new Map<string, NestedDraft<D>>();

  constructor(parent: D, open: ReadonlyMap<string, OpenTeam>) {
    this.#parent = parent;
    this.#open = new Map(open);
  }

  /** Writes the drafts back into their items. Returns the teams that later events can still change. */
  finish(): ReadonlyMap<string, OpenTeam> {
    for (const [key, { participant, over, draft }] of this.#drafts) {
      const { items, open } = draft.finish([]);
      this.#parent.change("team", key, (item) => (same(item.items, items) ? item : { ...item, items }));
      if (over && open.calls.size === 0 && open.teams.size === 0) this.#open.delete(key);
      else this.#open.set(key, { participant, over, open });
    }
    return this.#open;
  }

  /** The draft of a participant's team that has the call `ref`, or else is working; undefined when there is none. */
  get(participant: string, ref?: string): D | undefined {
    const holder = ref === undefined ? undefined : this.#holderOf(participant, ref);
    const key = holder ?? this.#workingKey(participant);
    return key === undefined ? undefined : this.#draft(key)?.draft;
  }

  /** The drafts of a participant's nested teams that can still change. */
  openOf(participant: string): D[] {
    return this.#all().flatMap((team) => (team.participant === participant ? [team.draft] : []));
  }

  /** The draft of a participant's team that is working, added under `key` when there is none. */
  getOrAdd(participant: string, key: string, at: string): D {
    return this.get(participant) ?? this.add(participant, key, at, this.#parent.nestedDraft());
  }

  /** Adds an item for a nested team, with what its draft already has. */
  add(participant: string, key: string, at: string, draft: D): D {
    this.#drafts.set(key, { participant, over: false, draft });
    this.#parent.push({ kind: "team", key, at, source: participant, state: "working", items: [] });
    return draft;
  }

  /** Ends the turn that a participant's item shows; its team's next turn gets a new item. */
  end(participant: string, state: Exclude<TeamItem["state"], "working">): void {
    if (state === "answered") this.#answerPaused(participant);
    const key = this.#workingKey(participant);
    const team = key === undefined ? undefined : this.#draft(key);
    if (key === undefined || team === undefined) return;
    team.draft.endRun(state === "answered" ? "stopped" : state);
    this.#drafts.set(key, { ...team, over: true });
    this.#parent.change("team", key, (item) => ({ ...item, state }));
  }

  /** Ends the run of each working team. A run that waits for a decision on a tool call leaves their items `working`. */
  endRun(state: TeamItem["state"]): void {
    for (const { participant, over, draft } of this.#all()) {
      if (over) continue;
      if (state === "working") draft.endRun(state);
      else this.end(participant, state);
    }
  }

  /** An answer is the answer to every part of a turn that was paused. */
  #answerPaused(participant: string): void {
    const { items } = this.#parent;
    for (let index = items.length - 1; index >= 0; index--) {
      const item = items[index];
      if (item?.kind === "message" && item.source === participant && item.state === "complete") return;
      if (item?.kind === "team" && item.source === participant && item.state === "paused") {
        items[index] = { ...item, state: "answered" };
      }
    }
  }

  endThread(): void {
    for (const { draft } of this.#all()) draft.endThread();
  }

  hasCall(ref: string): boolean {
    return this.#all().some(({ draft }) => draft.hasCall(ref));
  }

  #workingKey(participant: string): string | undefined {
    return this.#keys().find((key) => {
      const team = this.#drafts.get(key) ?? this.#open.get(key);
      return team?.participant === participant && !team.over;
    });
  }

  #holderOf(participant: string, ref: string): string | undefined {
    return this.#keys().find((key) => {
      const team = this.#draft(key);
      return team?.participant === participant && team.draft.hasCall(ref);
    });
  }

  #keys(): string[] {
    return [...new Set([...this.#open.keys(), ...this.#drafts.keys()])];
  }

  #all(): NestedDraft<D>[] {
    return this.#keys().flatMap((key) => this.#draft(key) ?? []);
  }

  /** The draft of an item, made when it is first needed. */
  #draft(key: string): NestedDraft<D> | undefined {
    const known = this.#drafts.get(key);
    if (known !== undefined) return known;
    const team = this.#open.get(key);
    const item = this.#parent.items.findLast((candidate) => candidate.kind === "team" && candidate.key === key);
    if (team === undefined || item?.kind !== "team") return undefined;
    const { participant, over, open } = team;
    const made = { participant, over, draft: this.#parent.nestedDraft({ items: item.items, open }) };
    this.#drafts.set(key, made);
    return made;
  }
}

function same(before: readonly TimelineItem[], after: readonly TimelineItem[]): boolean {
  return before.length === after.length && before.every((item, index) => item === after[index]);
}
