import type { TeamItem, TimelineItem } from "./items.ts";
import type { OpenTeam } from "./open-items.ts";
import type { TimelineDraft } from "./timeline-draft.ts";

/** A nested team that is being written. */
interface TeamDraft {
  readonly participant: string;
  readonly over: boolean;
  readonly draft: TimelineDraft;
}

/** The nested teams of a timeline that is being written: each is a draft of its own, put back into its item at the end. */
export class TimelineTeams {
  readonly #around: TimelineDraft;
  readonly #open: Map<string, OpenTeam>;
  /** Those that have been looked into, by key; they stand for the ones in `#open`. */
  readonly #drafts = new Map<string, TeamDraft>();

  constructor(around: TimelineDraft, open: ReadonlyMap<string, OpenTeam>) {
    this.#around = around;
    this.#open = new Map(open);
  }

  /** Puts what was written back into the items. Returns what is still open. */
  finish(): ReadonlyMap<string, OpenTeam> {
    for (const [key, { participant, over, draft }] of this.#drafts) {
      const { items, open } = draft.finish([]);
      this.#around.change("team", key, (item) => (same(item.items, items) ? item : { ...item, items }));
      if (over && open.calls.size === 0 && open.teams.size === 0) this.#open.delete(key);
      else this.#open.set(key, { participant, over, open });
    }
    return this.#open;
  }

  /** The draft of the team within a participant that is at work, or that has the call `ref`; undefined when there is none. */
  of(participant: string, ref?: string): TimelineDraft | undefined {
    const holder = ref === undefined ? undefined : this.#holderOf(participant, ref);
    const key = holder ?? this.#workingKey(participant);
    return key === undefined ? undefined : this.#draft(key)?.draft;
  }

  /** The drafts of a participant's nested teams that can still be written to. */
  openOf(participant: string): TimelineDraft[] {
    return this.#all().flatMap((team) => (team.participant === participant ? [team.draft] : []));
  }

  /** The draft of the team within a participant that is at work, begun under `key` when there is none. */
  within(participant: string, key: string, at: string): TimelineDraft {
    return this.of(participant) ?? this.add(participant, key, at, this.#around.nestedDraft());
  }

  /** Begins a nested team's item with what it has said. */
  add(participant: string, key: string, at: string, draft: TimelineDraft): TimelineDraft {
    this.#drafts.set(key, { participant, over: false, draft });
    this.#around.push({ kind: "team", key, at, source: participant, state: "working", items: [] });
    return draft;
  }

  /** Ends a participant's nested team for now: what it says later stands in a new item. */
  end(participant: string, state: Exclude<TeamItem["state"], "working">): void {
    if (state === "answered") this.#answerPaused(participant);
    const key = this.#workingKey(participant);
    const team = key === undefined ? undefined : this.#draft(key);
    if (key === undefined || team === undefined) return;
    team.draft.endRun(state === "answered" ? "stopped" : state);
    this.#drafts.set(key, { ...team, over: true });
    this.#around.change("team", key, (item) => ({ ...item, state }));
  }

  /** A run that waits for rulings, and so shows nothing after them, leaves them at work; any other end of it ends them. */
  endRun(state: TeamItem["state"]): void {
    for (const { participant, over, draft } of this.#all()) {
      if (over) continue;
      if (state === "working") draft.endRun(state);
      else this.end(participant, state);
    }
  }

  /** The answer is that to all parts of a turn that had been paused. */
  #answerPaused(participant: string): void {
    const { items } = this.#around;
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

  #all(): TeamDraft[] {
    return this.#keys().flatMap((key) => this.#draft(key) ?? []);
  }

  /** The draft of an item, made the first time that it is asked for. */
  #draft(key: string): TeamDraft | undefined {
    const known = this.#drafts.get(key);
    if (known !== undefined) return known;
    const team = this.#open.get(key);
    const item = this.#around.items.findLast((candidate) => candidate.kind === "team" && candidate.key === key);
    if (team === undefined || item?.kind !== "team") return undefined;
    const { participant, over, open } = team;
    const made = { participant, over, draft: this.#around.nestedDraft({ items: item.items, open }) };
    this.#drafts.set(key, made);
    return made;
  }
}

function same(before: readonly TimelineItem[], after: readonly TimelineItem[]): boolean {
  return before.length === after.length && before.every((item, index) => item === after[index]);
}
