import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import { AWAITING_DECISION, type ItemGroup, type ItemGroups } from "./item-groups.ts";
import { messageItem } from "./message-item.ts";
import { stepItems, type ToolStep } from "./tool-step.ts";
import { isHiddenFrom } from "./user-message.ts";

export type CallsEntry = Extract<TranscriptEntry, { kind: "calls" }>;
export type ResultEntry = Extract<TranscriptEntry, { kind: "result" }>;

/** The parts of a transcript that a participant's groups are made from. */
export interface GroupSource {
  readonly entries: readonly TranscriptEntry[];
  readonly results: ReadonlyMap<string, ResultEntry>;
  /** The calls without a result, each with the position of the entry that requested it. */
  readonly open: ReadonlyMap<string, number>;
}

/** The conversation as one participant sees it: the messages, and its own calls with their results, whenever these came. */
export class TranscriptGroups implements ItemGroups {
  readonly #source: GroupSource;
  readonly #participant: string;

  constructor(source: GroupSource, participant: string) {
    this.#source = source;
    this.#participant = participant;
  }

  *forwards(): Iterable<ItemGroup> {
    const { length } = this.#source.entries;
    for (let at = 0; at < length; at++) {
      const group = this.#groupAt(at);
      if (group !== undefined) yield group;
    }
  }

  *backwards(): Iterable<ItemGroup> {
    for (let at = this.#source.entries.length - 1; at >= 0; at--) {
      const group = this.#groupAt(at);
      if (group !== undefined) yield group;
    }
  }

  get undecided(): readonly ItemGroup[] {
    const places = [...new Set(this.#source.open.values())].sort((a, b) => a - b);
    return places.flatMap((at) => this.#groupAt(at) ?? []);
  }

  /** Undefined for an entry that the participant does not see as a group of its own. */
  #groupAt(at: number): ItemGroup | undefined {
    const entry = this.#source.entries[at];
    if (entry === undefined || entry.kind === "result") return undefined;
    if (entry.kind === "message") {
      if (isHiddenFrom(entry.message, this.#participant)) return undefined;
      const item = messageItem(entry.message, this.#participant);
      return item && { at, items: [item] };
    }
    if (entry.participant !== this.#participant) return undefined;
    return { at, items: stepItems(toolStepOf(entry, this.#source.results)) };
  }
}

/** A step with the results so far; a call without one has a result that says that it is waiting. */
export function toolStepOf({ calls, content = "" }: CallsEntry, results: GroupSource["results"]): ToolStep {
  return {
    content,
    calls: calls.map((call) => {
      const result = results.get(call.ref);
      if (result === undefined) return { ...call, output: AWAITING_DECISION, isError: true };
      return { ...call, output: result.output, isError: result.isError };
    }),
  };
}
