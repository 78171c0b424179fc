import type { ContextSummary, SummaryEnd } from "../../../shared/contract/context.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import { AWAITING_DECISION, type ItemGroup, type ItemGroups } from "./item-groups.ts";
import { messageItem } from "./message-item.ts";
import { summaryItem } from "./summary-item.ts";
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

/**
 * The conversation as one participant sees it: the messages, and its own calls with their results, whenever these came. With
 * a summary, that comes first, in place of what it is about.
 */
export class TranscriptGroups implements ItemGroups {
  readonly #source: GroupSource;
  readonly #participant: string;
  /** In the place of the last entry that it is about. */
  readonly #summary: ItemGroup | undefined;

  constructor(source: GroupSource, participant: string, summary?: ContextSummary) {
    this.#source = source;
    this.#participant = participant;
    // An end that is not in the conversation is before it.
    this.#summary = summary && { at: placeOf(summary, source.entries), items: [summaryItem(summary)] };
  }

  *forwards(): Iterable<ItemGroup> {
    const { length } = this.#source.entries;
    if (this.#summary !== undefined) yield this.#summary;
    for (let at = this.#start; at < length; at++) {
      const group = this.#groupAt(at);
      if (group !== undefined) yield group;
    }
  }

  *backwards(): Iterable<ItemGroup> {
    for (let at = this.#source.entries.length - 1; at >= this.#start; at--) {
      const group = this.#groupAt(at);
      if (group !== undefined) yield group;
    }
    if (this.#summary !== undefined) yield this.#summary;
  }

  /** The place of the first entry that is shown itself. */
  get #start(): number {
    return this.#summary === undefined ? 0 : this.#summary.at + 1;
  }

  /** What a summary up to that group ends with; undefined for a group that none can end with. */
  endOf({ at }: ItemGroup): SummaryEnd | undefined {
    const entry = at === this.#summary?.at ? undefined : this.#source.entries[at];
    // The user may still edit or remove a partial message.
    if (entry?.kind === "message") return entry.message.partial ? undefined : { messageId: entry.message.id };
    if (entry?.kind !== "calls" || entry.calls[0] === undefined) return undefined;
    return { ref: entry.calls[0].ref };
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

/** The place of the last entry that a summary is about; -1 where it is not in the conversation. */
function placeOf({ through }: ContextSummary, entries: readonly TranscriptEntry[]): number {
  return entries.findLastIndex((entry) =>
    "messageId" in through
      ? entry.kind === "message" && entry.message.id === through.messageId
      : entry.kind === "calls" && entry.calls.some(({ ref }) => ref === through.ref),
  );
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
