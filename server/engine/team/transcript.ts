import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import type { DurableEvent, TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import { textOf } from "../../../shared/message-text.ts";
import { type ConditionInput, isMessage } from "../conditions/condition.ts";
import { conditionInputOf } from "../conditions/condition-input.ts";
import type { ContextItem } from "../model.ts";

type ResultEntry = Extract<TranscriptEntry, { kind: "result" }>;

/** What a call's result is while the call waits for the user, should its participant be asked to speak meanwhile. */
const UNDECIDED = "This call waits for the user's decision and has not run.";

/**
 * The whole of what was said and done, as the fold of the team's events: the thread, and each participant's calls with their
 * results. It is read from the history when it is first needed, and grows with the events from then on.
 */
export class Transcript {
  readonly #history: () => Iterable<DurableEvent>;
  #loaded: Loaded | undefined;

  /** Without a history it is that of a new team. */
  constructor(history?: () => Iterable<DurableEvent>) {
    this.#history = history ?? (() => []);
    if (history === undefined) this.#loaded = nothing();
  }

  /** Takes one more event. Until the history has been read there is nothing to do: it will be in it. */
  take(event: TeamEvent): void {
    if (this.#loaded !== undefined) fold(this.#loaded, event);
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#all().entries;
  }

  get messages(): readonly ChatMessage[] {
    return this.#all().messages;
  }

  /** True when some call of the team, however old, has this name. */
  hasCall(ref: string): boolean {
    return this.#all().callNames.has(ref);
  }

  /** What the conditions have to count anew after a restart: the last `count` messages, and what was done among them. */
  conditionInput(count: number): ConditionInput[] {
    const { conditionInput } = this.#all();
    let missing = count;
    let from = conditionInput.length;
    while (from > 0 && missing > 0) {
      from--;
      const input = conditionInput[from];
      if (input !== undefined && isMessage(input)) missing--;
    }
    return conditionInput.slice(from);
  }

  /**
   * What `participant`'s model is shown, always a valid conversation: each call is followed by exactly one result, in the
   * order of the calls, whenever the results came.
   */
  itemsFor(participant: string, context: ContextDefinition | undefined): ContextItem[] {
    const { entries, results, callNames } = this.#all();
    const limit = context?.kind === "buffered" ? (context.size ?? 10) : Number.POSITIVE_INFINITY;
    const groups: ContextItem[][] = [];
    let size = 0;
    for (let at = entries.length - 1; at >= 0 && size < limit; at--) {
      const entry = entries[at];
      const group = entry === undefined ? [] : itemsOf(entry, participant, results, callNames);
      if (group.length === 0) continue;
      groups.push(group);
      size += group.length;
    }
    return groups.reverse().flat();
  }

  #all(): Loaded {
    if (this.#loaded === undefined) {
      const loaded = nothing();
      for (const event of this.#history()) fold(loaded, event);
      this.#loaded = loaded;
    }
    return this.#loaded;
  }
}

interface Loaded {
  entries: TranscriptEntry[];
  messages: ChatMessage[];
  results: Map<string, ResultEntry>;
  callNames: Map<string, string>;
  conditionInput: ConditionInput[];
}

const nothing = (): Loaded => ({
  entries: [],
  messages: [],
  results: new Map(),
  callNames: new Map(),
  conditionInput: [],
});

function fold(to: Loaded, event: TeamEvent): void {
  const input = conditionInputOf(event);
  if (input !== undefined) to.conditionInput.push(input);
  switch (event.type) {
    case "message/added":
      add(to, { kind: "message", message: event.message });
      break;
    case "tool/requested": {
      const { participant, calls, content } = event;
      add(to, { kind: "calls", participant, calls, ...(content === undefined ? {} : { content }) });
      break;
    }
    case "tool/executed":
      add(to, { kind: "result", ref: event.ref, output: event.output, isError: event.isError });
      break;
    case "team/reset":
      Object.assign(to, nothing());
      break;
    case "state/loaded":
      Object.assign(to, nothing());
      for (const entry of event.state.transcript) {
        add(to, entry);
        const counted = inputOfEntry(entry, to.callNames);
        if (counted !== undefined) to.conditionInput.push(counted);
      }
      break;
    default:
  }
}

function add(to: Loaded, entry: TranscriptEntry): void {
  to.entries.push(entry);
  if (entry.kind === "message") to.messages.push(entry.message);
  else if (entry.kind === "calls") for (const { ref, name } of entry.calls) to.callNames.set(ref, name);
  else to.results.set(entry.ref, entry);
}

function inputOfEntry(entry: TranscriptEntry, callNames: ReadonlyMap<string, string>): ConditionInput | undefined {
  if (entry.kind === "message") return entry.message;
  if (entry.kind === "calls") return undefined;
  return { type: "ToolExecution", name: callNames.get(entry.ref) ?? "", isError: entry.isError };
}

function itemsOf(
  entry: TranscriptEntry,
  participant: string,
  results: ReadonlyMap<string, ResultEntry>,
  callNames: ReadonlyMap<string, string>,
): ContextItem[] {
  if (entry.kind === "message") return [itemOfMessage(entry.message, participant)];
  if (entry.kind === "result" || entry.participant !== participant) return [];
  return [
    { role: "assistant", content: entry.content ?? "", calls: entry.calls },
    ...entry.calls.map(({ ref }): ContextItem => {
      const result = results.get(ref);
      return {
        role: "tool",
        ref,
        name: callNames.get(ref) ?? "",
        output: result === undefined ? UNDECIDED : result.output,
        isError: result?.isError ?? true,
      };
    }),
  ];
}

function itemOfMessage(message: ChatMessage, participant: string): ContextItem {
  if (message.source === participant) {
    return {
      role: "assistant",
      content: textOf(message),
      calls: [],
      ...(message.partial === undefined ? {} : { partial: true as const }),
    };
  }
  const directedTo = message.metadata?.["to"];
  return {
    role: "user",
    source: message.source,
    content: Array.isArray(message.content) ? message.content : textOf(message),
    ...(typeof directedTo === "string" ? { directedTo } : {}),
  };
}
