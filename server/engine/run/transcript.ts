import type { ContextSummary } from "../../../shared/contract/context.ts";
import type { ContextDefinition } from "../../../shared/contract/definition.ts";
import { type DurableEvent, isDurable, type TeamEvent } from "../../../shared/contract/event.ts";
import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import type { ConditionInput } from "../conditions/termination-condition.ts";
import { keepTexts, withTexts } from "../context/long-text.ts";
import { contextItems } from "../context/model-context.ts";
import { type OlderPart, olderPart, type PartSizes } from "../context/older-part.ts";
import { assertCharactersFit } from "../context/request-size.ts";
import { type ShownContext, shownContext } from "../context/shown-context.ts";
import type { ToolStep } from "../context/tool-step.ts";
import { TranscriptGroups } from "../context/transcript-groups.ts";
import { isHiddenFrom } from "../context/user-message.ts";
import { type History, HistoryNotRead, isPaged } from "../log/history.ts";
import type { ContextItem, ModelProgress } from "../model.ts";
import { RecentTranscript } from "./recent-transcript.ts";
import {
  applyEvent,
  conversationSize,
  countPart,
  emptyTranscript,
  inputOfLast,
  stepsIn,
  type TranscriptData,
} from "./transcript-data.ts";

/** Events that change what came before them, which the end of a history may not have. */
const CHANGES_EARLIER: ReadonlySet<DurableEvent["type"]> = new Set([
  "message/edited",
  "message/dropped",
  "team/reset",
  "state/loaded",
]);

/** What a turn starts with. */
export interface TurnStart {
  readonly items: ContextItem[];
  readonly steps: ToolStep[];
  readonly progress: ModelProgress;
}

/** Takes the events of a history. */
export interface HistoryReader {
  readonly add: (event: DurableEvent) => void;
  /** `lastSeq`: the number of the last event that was read. */
  readonly end: (lastSeq: number) => void;
}

/**
 * The whole conversation of a team as a projection of its events: the thread, and each participant's calls with their
 * results. It is read from the history when it is first needed, and updated with each event from then on.
 */
export class Transcript {
  readonly #history: History["all"];
  readonly #recentHistory: History["recent"];
  /** The end of it, as it was when nothing had happened since. */
  #recent: RecentTranscript | undefined;
  #data: TranscriptData | undefined;
  /** Reads all of it, or goes on reading it: turns start from its end meanwhile. */
  #read: (() => Promise<void> | undefined) | undefined;
  /** Events from before the history was read, which may not have been stored by then. */
  #unread: DurableEvent[] = [];

  /** Without a history it is the transcript of a new team. */
  constructor(history?: History["all"], recent?: History["recent"]) {
    this.#history = history ?? (() => []);
    this.#recentHistory = recent ?? (() => Promise.resolve(undefined));
    if (history === undefined) this.#data = emptyTranscript();
  }

  /** True when the whole history was read, or can be read at once. */
  get isReady(): boolean {
    return this.#data !== undefined || !isPaged(this.#history());
  }

  /** Reads the whole history, whose events it is given one by one. */
  reader(): HistoryReader {
    const read = emptyTranscript();
    return {
      add: (event) => applyEvent(read, event),
      end: (lastSeq) => {
        if (this.#data === undefined) this.#start(read, lastSeq);
      },
    };
  }

  /** Reads the end of the history, which is enough for {@link shownTo} mostly. */
  async prepareRecent(): Promise<void> {
    if (this.#data !== undefined || this.#recent !== undefined) return;
    const history = await this.#recentHistory();
    if (this.#data === undefined) this.#recent = history && new RecentTranscript(history, this.#unread);
  }

  /**
   * Whether turns of these participants can start from the end of the history, which was read, and a count of the last
   * messages by the conditions; from then on, `read` reads all of it beside. See {@link whenRead}.
   */
  startFromEnd(
    turns: Iterable<readonly [participant: string, context: ContextDefinition | undefined]>,
    messages: number | undefined,
    read: () => Promise<void> | undefined,
  ): boolean {
    const recent = this.#recent;
    if (this.#data !== undefined || recent === undefined) return false;
    if (messages !== undefined && recent.conditionInput(messages) === undefined) return false;
    for (const [participant, context] of turns) {
      if (context?.kind === "summarized") return false;
      const items = withTexts(
        () => recent.itemsFor(participant, context),
        () => {},
      );
      // Long texts are read once, for the turn.
      if (items === undefined || items instanceof Promise || recent.progressOf(participant) === undefined) return false;
    }
    this.#read = read;
    return true;
  }

  /** Undefined once the whole history was read, or where it can be read at once. */
  whenRead(): Promise<void> | undefined {
    return this.#data === undefined ? this.#read?.() : undefined;
  }

  /** True while turns start from the end of the history. */
  get startsFromEnd(): boolean {
    return this.#data === undefined && this.#read !== undefined;
  }

  /**
   * What a turn starts with. A promise where stored texts are read first, or the history of which the end is not enough.
   * @throws GavelError `ModelError`, see {@link readItemsFor}.
   */
  readTurn(
    { participant, id }: { readonly participant: string; readonly id: string },
    context: ContextDefinition | undefined,
    summary?: ContextSummary,
  ): TurnStart | Promise<TurnStart> {
    const isFromEnd = this.startsFromEnd && summary === undefined;
    const recent = isFromEnd ? this.recentTurn(participant, id, context) : undefined;
    if (recent !== undefined) return recent;
    const unread = this.whenRead();
    if (unread !== undefined) return unread.then(() => this.readTurn({ participant, id }, context, summary));
    const items = this.readItemsFor(participant, context, summary);
    const turnWith = (own: ContextItem[]): TurnStart => ({
      items: own,
      steps: this.stepsOf(participant, id),
      progress: this.progressOf(participant),
    });
    return items instanceof Promise ? items.then(turnWith) : turnWith(items);
  }

  /** What a turn starts with, from the end of the history. Undefined where that is not enough. */
  recentTurn(participant: string, turnId: string, context: ContextDefinition | undefined): TurnStart | undefined {
    const recent = this.#recent;
    const items = recent?.itemsFor(participant, context);
    const steps = recent?.stepsOf(participant, turnId);
    const progress = recent?.progressOf(participant);
    return items && steps && progress && { items, steps, progress };
  }

  /** Applies one more event; once the history has been read, if that does not contain it. */
  apply(event: TeamEvent): void {
    if (this.#data !== undefined) applyEvent(this.#data, event);
    else if (isDurable(event)) {
      this.#unread.push(event);
      if (this.#read !== undefined && !CHANGES_EARLIER.has(event.type)) this.#recent?.add(event);
      else this.#recent = undefined;
    }
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
    return this.#recent?.conditionInput(count) ?? inputOfLast(count, this.#load().conditionInput);
  }

  /**
   * What the model of `participant` is shown, always a valid conversation: each call is followed by exactly one result, in
   * the order of the calls, whenever the results came. Messages hidden from the participant are left out. A summary comes in
   * place of what it is about.
   */
  itemsFor(participant: string, context: ContextDefinition | undefined, summary?: ContextSummary): ContextItem[] {
    return contextItems(new TranscriptGroups(this.#load(), participant, summary), context);
  }

  /**
   * {@link itemsFor}, with the stored texts that it uses read in parts: then a promise.
   * @throws GavelError `ModelError` when they are more than a request may have.
   */
  readItemsFor(
    participant: string,
    context: ContextDefinition | undefined,
    summary?: ContextSummary,
  ): ContextItem[] | Promise<ContextItem[]> {
    return withFittingTexts(participant, () => this.itemsFor(participant, context, summary));
  }

  /** What the model of `participant` is shown of the conversation's older part, for its summary; see {@link olderPart}. */
  readOlderPart(
    participant: string,
    summary: ContextSummary | undefined,
    sizes: PartSizes,
  ): OlderPart | undefined | Promise<OlderPart | undefined> {
    const unread = this.whenRead();
    if (unread !== undefined) return unread.then(() => this.readOlderPart(participant, summary, sizes));
    return withFittingTexts(participant, () =>
      olderPart(new TranscriptGroups(this.#load(), participant, summary), sizes),
    );
  }

  /** Reads the stored texts of the whole transcript, and keeps them. */
  async keepTexts(): Promise<void> {
    await keepTexts(this.entries);
  }

  /** What {@link itemsFor} would give, in figures and samples. The whole history is read only where that is needed. */
  shownTo(participant: string, context: ContextDefinition | undefined, summary?: ContextSummary): ShownContext {
    if (summary !== undefined)
      return shownContext(new TranscriptGroups(this.#load(), participant, summary), undefined, context);
    const recent = this.#recent?.shownTo(participant, context);
    if (recent !== undefined) return recent;
    const data = this.#load();
    return shownContext(new TranscriptGroups(data, participant), conversationSize(data, participant), context);
  }

  /**
   * Prepares {@link shownTo} by a part that takes a few milliseconds. Returns whether there is more to prepare. Nothing is
   * prepared before the history is read.
   */
  prepareShown(): boolean {
    return this.#data !== undefined && countPart(this.#data);
  }

  /** See {@link stepsIn}. */
  stepsOf(participant: string, turnId: string): ToolStep[] {
    return stepsIn(this.#load(), { participant, turnId }, true) ?? [];
  }

  /** The progress of the model of `name`: a participant, or the team's kind for its manager. */
  progressOf(name: string): ModelProgress {
    return this.#load().progress.progressOf(name);
  }

  /** @throws HistoryNotRead for a history in pages. */
  #load(): TranscriptData {
    if (this.#data !== undefined) return this.#data;
    const history = this.#history();
    if (isPaged(history)) throw new HistoryNotRead();
    const loaded = emptyTranscript();
    let last = 0;
    for (const event of history) {
      applyEvent(loaded, event);
      last = event.seq;
    }
    return this.#start(loaded, last);
  }

  /** From here on events are applied to the history that was read up to the event with the number `last`. */
  #start(loaded: TranscriptData, last: number): TranscriptData {
    for (const event of this.#unread) if (event.seq > last) applyEvent(loaded, event);
    this.#unread = [];
    this.#recent = undefined;
    this.#read = undefined;
    this.#data = loaded;
    return loaded;
  }
}

/** What `work` returns, with the stored texts that it uses; see {@link Transcript.readItemsFor}. */
function withFittingTexts<T>(participant: string, work: () => T): T | Promise<T> {
  let characters = 0;
  return withTexts(work, (more) => {
    characters += more;
    assertCharactersFit(participant, characters);
  });
}
