import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import { type DurableEvent, isDurable, type TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import { editedMessage } from "../../../shared/state/cut-message.ts";
import { conditionInputOf } from "../conditions/condition-input.ts";
import { type ConditionInput, isMessage } from "../conditions/termination-condition.ts";
import { contextItems } from "../context/model-context.ts";
import { ModelProgressTracker } from "../context/model-progress.ts";
import type { ToolStep } from "../context/tool-step.ts";
import { type ResultEntry, TranscriptGroups, toolStepOf } from "../context/transcript-groups.ts";
import { isHidden, isHiddenFrom } from "../context/user-message.ts";
import type { ContextItem, ModelProgress } from "../model.ts";

/**
 * The whole conversation of a team as a projection of its events: the thread, and each participant's calls with their
 * results. It is read from the history when it is first needed, and updated with each event from then on.
 */
export class Transcript {
  readonly #history: () => Iterable<DurableEvent>;
  #data: TranscriptData | undefined;
  /** Events from before the history was read, which may not have been stored by then. */
  #unread: DurableEvent[] = [];

  /** Without a history it is the transcript of a new team. */
  constructor(history?: () => Iterable<DurableEvent>) {
    this.#history = history ?? (() => []);
    if (history === undefined) this.#data = emptyTranscript();
  }

  /** Applies one more event; once the history has been read, if that does not contain it. */
  apply(event: TeamEvent): void {
    if (this.#data !== undefined) applyEvent(this.#data, event);
    else if (isDurable(event)) this.#unread.push(event);
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#load().entries;
  }

  get messages(): readonly ChatMessage[] {
    return this.#load().messages;
  }

  /** The thread without the messages that are hidden from `participant`. */
  messagesFor(participant: string): readonly ChatMessage[] {
    const { messages, hasHidden } = this.#load();
    return hasHidden ? messages.filter((message) => !isHiddenFrom(message, participant)) : messages;
  }

  /**
   * The input that conditions must count again after a restart: the last `count` messages, and the tool runs and usage among
   * them.
   */
  conditionInput(count: number): ConditionInput[] {
    const { conditionInput } = this.#load();
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
   * What the model of `participant` is shown, always a valid conversation: each call is followed by exactly one result, in
   * the order of the calls, whenever the results came. Messages hidden from the participant are left out.
   */
  itemsFor(participant: string, context: ContextDefinition | undefined): ContextItem[] {
    return contextItems(new TranscriptGroups(this.#load(), participant), context);
  }

  /**
   * The tool steps of `participant` in its turn so far, oldest first. Steps of an interrupted turn come before them, unless
   * someone spoke in between, as the turn continues from there.
   */
  stepsOf(participant: string, turnId: string): ToolStep[] {
    const { entries, results, turnStarts } = this.#load();
    const start = turnStarts.get(turnId) ?? entries.length;
    const steps: ToolStep[] = [];
    let from = 0;
    for (let at = entries.length - 1; at >= from; at--) {
      const entry = entries[at];
      if (entry?.kind === "message" && endsTurnOf(entry.message, participant)) break;
      if (entry?.kind === "message" && entry.message.source !== participant) from = start;
      if (entry?.kind !== "calls" || entry.participant !== participant) continue;
      const step = toolStepOf(entry, results);
      steps.push(at < start ? { ...step, earlier: true } : step);
    }
    return steps.reverse();
  }

  /** The progress of the model of `name`: a participant, or the team's kind for its manager. */
  progressOf(name: string): ModelProgress {
    return this.#load().progress.progressOf(name);
  }

  #load(): TranscriptData {
    if (this.#data === undefined) {
      const loaded = emptyTranscript();
      let last = 0;
      for (const event of this.#history()) {
        applyEvent(loaded, event);
        last = event.seq;
      }
      for (const event of this.#unread) if (event.seq > last) applyEvent(loaded, event);
      this.#unread = [];
      this.#data = loaded;
    }
    return this.#data;
  }
}

interface TranscriptData {
  entries: TranscriptEntry[];
  messages: ChatMessage[];
  /** True when a message is visible to its target only. */
  hasHidden: boolean;
  results: Map<string, ResultEntry>;
  callNames: Map<string, string>;
  /** The calls without a result, each with the index of the entry that requested it. */
  open: Map<string, number>;
  /** The number of entries when each open turn started. */
  turnStarts: Map<string, number>;
  conditionInput: ConditionInput[];
  progress: ModelProgressTracker;
}

const emptyTranscript = (): TranscriptData => ({
  entries: [],
  messages: [],
  hasHidden: false,
  results: new Map(),
  callNames: new Map(),
  open: new Map(),
  turnStarts: new Map(),
  conditionInput: [],
  progress: new ModelProgressTracker(),
});

function applyEvent(to: TranscriptData, event: TeamEvent): void {
  const input = conditionInputOf(event);
  if (input !== undefined) to.conditionInput.push(input);
  if (event.path !== undefined) return;
  switch (event.type) {
    case "message/added":
      addEntry(to, { kind: "message", message: event.message });
      break;
    case "message/edited":
      editMessage(to, event.messageId, event.content);
      break;
    case "message/dropped":
      editMessage(to, event.messageId, null);
      break;
    case "tool/requested": {
      const { participant, calls, content } = event;
      addEntry(to, { kind: "calls", participant, calls, ...(content === undefined ? {} : { content }) });
      break;
    }
    case "tool/executed":
      addEntry(to, { kind: "result", ref: event.ref, output: event.output, isError: event.isError });
      break;
    case "model/asked":
      to.progress.addUnseen(event.by);
      break;
    case "reasoning/start":
      to.turnStarts.set(event.id, to.entries.length);
      break;
    case "reasoning/conclusion":
      for (const id of event.correlation_id) to.turnStarts.delete(id);
      break;
    case "team/reset":
      Object.assign(to, emptyTranscript());
      break;
    case "state/loaded":
      Object.assign(to, emptyTranscript());
      for (const entry of event.state.transcript) {
        addEntry(to, entry);
        const counted = conditionInputOfEntry(entry, to.callNames);
        if (counted !== undefined) to.conditionInput.push(counted);
      }
      for (const [by, count] of Object.entries(event.state.asked ?? {})) to.progress.addUnseen(by, count);
      for (const { id, participant } of event.state.openTurns)
        to.turnStarts.set(id, indexAfterLastMessage(participant, to.entries));
      break;
    default:
  }
}

function addEntry(to: TranscriptData, entry: TranscriptEntry): void {
  if (entry.kind === "message") {
    to.messages.push(entry.message);
    to.hasHidden ||= isHidden(entry.message);
  } else if (entry.kind === "calls") {
    for (const { ref, name } of entry.calls) {
      to.callNames.set(ref, name);
      to.open.set(ref, to.entries.length);
    }
  } else {
    to.results.set(entry.ref, entry);
    to.open.delete(entry.ref);
  }
  to.entries.push(entry);
  to.progress.add(entry);
}

/** Replaces the text of a partial message, or removes the message if `content` is null. */
function editMessage(to: TranscriptData, messageId: string, content: string | null): void {
  const at = to.entries.findLastIndex((entry) => entry.kind === "message" && entry.message.id === messageId);
  const entry = to.entries[at];
  if (entry?.kind !== "message") return;
  const { message } = entry;
  to.progress.rewrite(message, content ?? "");
  const next = content === null ? [] : [editedMessage(message, content)];
  to.entries.splice(at, 1, ...next.map((edited) => ({ kind: "message" as const, message: edited })));
  to.messages.splice(to.messages.lastIndexOf(message), 1, ...next);
  to.conditionInput.splice(to.conditionInput.lastIndexOf(message), 1, ...next);
  if (content !== null) return;
  for (const places of [to.open, to.turnStarts]) {
    for (const [key, place] of places) if (place > at) places.set(key, place - 1);
  }
}

/** True for a message that ends a turn of `participant`: one of its own that is not partial, nor sent to someone. */
const endsTurnOf = ({ source, partial, metadata }: ChatMessage, participant: string): boolean =>
  source === participant && partial !== true && metadata?.["to"] === undefined;

/** The index after the last complete message of `participant`. */
function indexAfterLastMessage(participant: string, entries: readonly TranscriptEntry[]): number {
  return 1 + entries.findLastIndex((entry) => entry.kind === "message" && endsTurnOf(entry.message, participant));
}

function conditionInputOfEntry(
  entry: TranscriptEntry,
  callNames: ReadonlyMap<string, string>,
): ConditionInput | undefined {
  if (entry.kind === "message") return entry.message;
  if (entry.kind === "calls") return undefined;
  return { type: "ToolExecution", name: callNames.get(entry.ref) ?? "", isError: entry.isError };
}
