import { type GavelError, storageError, teamBusyElsewhere } from "../../../../shared/contract/errors.ts";
import type { DurableEvent, TransientEvent } from "../../../../shared/contract/event.ts";
import type { Journal } from "../../../engine/index.ts";
import { type ChunkRow, chunkRow, eventRow, pathText } from "../events/event-rows.ts";
import type { EventRow, Outcome, Statement, TeamRow } from "../write.ts";
import type { PendingWrite, WriteQueue, WriteSource } from "../write-queue.ts";

/**
 * - `saving`: events are stored as they come.
 * - `failing`: they cannot be stored at present, and wait.
 * - `unsaved`: they wait too, and the user has decided to continue without them being stored.
 * - `lost`: another host has the team, or has deleted it, or the team could not be claimed with the first events of a run;
 *   nothing of this journal is stored any more.
 */
export type JournalState = "saving" | "failing" | "unsaved" | "lost";

/** `first`: without it there is no run, so a failure undoes what the team has begun. `again`: what held it has ended. */
export type JournalClaim = "no" | "first" | "again";

export interface JournalOptions {
  readonly queue: WriteQueue;
  readonly teamId: string;
  /** The store's number for the team. */
  readonly key: number;
  /** The `seq` of the last event that is stored already; 0 if left out. */
  readonly storedSeq?: number;
  /** Of a team that is not stored yet, as the user continues without saving: what stores it. */
  readonly creation?: readonly Statement[] | undefined;
  /** Whether the team has to be claimed for this host with its next events. */
  readonly claim: () => JournalClaim;
  readonly claimed: () => void;
  /** Called when the state has changed, and when more is stored. */
  readonly changed: (journal: TeamJournal, error?: GavelError) => void;
}

type Row =
  | { readonly kind: "creation"; readonly statements: readonly Statement[] }
  | { readonly kind: "event"; readonly event: DurableEvent; readonly row: EventRow }
  | { readonly kind: "chunk"; readonly chunk: ChunkRow };

/** Rows that were handed to the writer, and how many events and chunks had been appended by then. */
interface SentRows {
  readonly rows: readonly Row[];
  readonly position: number;
}

/**
 * Queues one team's events, in order, and hands them to the writer: an event is one small write, and the writes of one turn
 * of the event loop are committed together. The chunks of a message become one row for each of these. Events that cannot be
 * stored stay in the queue, and {@link TeamJournal.retry} tries again.
 */
export class TeamJournal implements Journal, WriteSource {
  readonly #options: JournalOptions;
  #state: JournalState = "saving";
  #rows: Row[] = [];
  #sent: SentRows | undefined;
  #isRetrying = false;
  /** Events and chunks: how many were appended, and how many of them are stored. */
  #position = 0;
  #stored = 0;
  #lastSeq = 0;
  #storedSeq: number;
  #chunks = 0;
  #lostBecause: GavelError | undefined;
  #waiters: { readonly isOver: () => boolean; readonly resolve: () => void }[] = [];

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#storedSeq = options.storedSeq ?? 0;
    if (options.creation === undefined) return;
    this.#state = "unsaved";
    this.#rows.push({ kind: "creation", statements: options.creation });
    this.#position++;
  }

  get teamId(): string {
    return this.#options.teamId;
  }

  get state(): JournalState {
    return this.#state;
  }

  /** Why its events are no longer stored, once they are `lost`. */
  get lostBecause(): GavelError | undefined {
    return this.#lostBecause;
  }

  /** How many events and chunks were appended. */
  get position(): number {
    return this.#position;
  }

  /** The `seq` of the last event that is known to be stored. */
  get storedSeq(): number {
    return this.#storedSeq;
  }

  /** True when the first `position` events and chunks may be told: they are stored, or never will be. */
  isTold(position: number): boolean {
    return position <= this.#stored || this.#state === "unsaved";
  }

  /** True while the event or chunk at that position has not been handed to the writer. */
  isQueued(position: number): boolean {
    return position > (this.#sent?.position ?? this.#stored);
  }

  /** True while something waits to be stored. */
  get hasUnstored(): boolean {
    return this.#rows.length > 0 || this.#sent !== undefined;
  }

  /** Whether the team itself is stored. */
  get isCreated(): boolean {
    return ![...(this.#sent?.rows ?? []), ...this.#rows].some(({ kind }) => kind === "creation");
  }

  /** The events that are told although they are not stored. */
  get toldUnstored(): readonly DurableEvent[] {
    if (this.#state !== "unsaved") return [];
    return [...(this.#sent?.rows ?? []), ...this.#rows].flatMap((row) => (row.kind === "event" ? [row.event] : []));
  }

  append(event: DurableEvent): void {
    const row = eventRow(this.#options.key, event);
    this.#position++;
    this.#lastSeq = event.seq;
    // An added message contains its text, so its chunks are not needed.
    if (event.type === "message/added") this.#dropChunks(event.message.id);
    if (this.#state !== "lost") {
      this.#rows.push({ kind: "event", event, row });
      this.#options.queue.add(this);
    }
  }

  appendTransient(event: TransientEvent): void {
    this.#position++;
    if (event.type !== "message/chunk") {
      // It is told in its order.
      this.#options.queue.addText(this);
      return;
    }
    const { messageId, source, delta } = event;
    const open = this.#rows.findLast((row) => row.kind === "chunk" && row.chunk.messageId === messageId);
    if (open?.kind === "chunk") {
      open.chunk.delta += delta;
      return;
    }
    if (this.#state === "lost") return;
    this.#rows.push({ kind: "chunk", chunk: { messageId, n: this.#chunks++, path: pathText(event), source, delta } });
    this.#options.queue.addText(this);
  }

  durable(seq: number): Promise<void> | undefined {
    return this.#until(() => seq <= this.#storedSeq || seq > this.#lastSeq || this.#state === "unsaved");
  }

  /** Resolves when everything appended so far is stored, or could not be; undefined if that is so. */
  settled(): Promise<void> | undefined {
    const position = this.#position;
    return this.#until(() => position <= this.#stored || this.#state !== "saving");
  }

  /** Tries again to store what waits. */
  retry(): void {
    if (this.#state !== "failing" && this.#state !== "unsaved") return;
    this.#isRetrying = true;
    this.#options.queue.add(this);
  }

  /** Lets the team continue although its events cannot be stored at present. */
  continueUnsaved(): void {
    if (this.#state !== "failing") return;
    this.#change("unsaved");
  }

  /** For the queue of writes. */
  nextWrite(isLast: boolean): PendingWrite | undefined {
    const isDue = this.#state === "saving" || this.#isRetrying;
    const isWaiting = this.#sent !== undefined && !isLast;
    if (!isDue || isWaiting || this.#position === this.#stored) return undefined;
    this.#isRetrying = false;
    // Output of tools is told, and not stored.
    if (this.#rows.length === 0 && this.#sent === undefined) {
      this.#stored = this.#position;
      this.#change(this.#state);
      return undefined;
    }
    // The last write repeats what is being written, as that may fail while this succeeds.
    const sent = { rows: [...(this.#sent?.rows ?? []), ...this.#rows], position: this.#position };
    const { key } = this.#options;
    const claim = this.#options.claim();
    this.#rows = [];
    this.#sent = sent;
    const creation = sent.rows.find((row) => row.kind === "creation")?.statements;
    const rows = sent.rows.flatMap((row) => rowsOf(key, row));
    return {
      write: {
        kind: "team",
        team: key,
        ...(creation && { creation }),
        claim: claim !== "no",
        after: this.#storedSeq,
        rows,
      },
      settle: (outcome) => this.#settle(sent, claim, outcome),
    };
  }

  #settle({ rows, position }: SentRows, claim: JournalClaim, outcome: Outcome): void {
    this.#sent = undefined;
    if ("failure" in outcome) {
      const { message, conflict } = outcome.failure;
      if (conflict) this.#lose(teamBusyElsewhere(this.#options.teamId));
      else if (claim === "first") this.#lose(storageError(message));
      else {
        this.#rows = [...rows, ...this.#rows];
        this.#change(this.#state === "unsaved" ? "unsaved" : "failing", storageError(message));
      }
      return;
    }
    if (claim !== "no") this.#options.claimed();
    this.#stored = position;
    this.#storedSeq = rows.findLast((row) => row.kind === "event")?.event.seq ?? this.#storedSeq;
    this.#change("saving");
    if (this.#rows.length > 0) this.#options.queue.add(this);
  }

  #lose(error: GavelError): void {
    this.#rows = [];
    this.#lostBecause = error;
    this.#change("lost", error);
  }

  #change(state: JournalState, error?: GavelError): void {
    this.#state = state;
    this.#options.changed(this, error);
    const over = this.#waiters.filter(({ isOver }) => isOver());
    this.#waiters = this.#waiters.filter((waiter) => !over.includes(waiter));
    for (const { resolve } of over) resolve();
  }

  #until(isOver: () => boolean): Promise<void> | undefined {
    if (isOver()) return undefined;
    this.#options.queue.flush();
    return new Promise((resolve) => this.#waiters.push({ isOver, resolve }));
  }

  #dropChunks(messageId: string): void {
    this.#rows = this.#rows.filter((row) => row.kind !== "chunk" || row.chunk.messageId !== messageId);
  }
}

function rowsOf(key: number, row: Row): readonly TeamRow[] {
  switch (row.kind) {
    case "creation":
      return [];
    case "event":
      return [row.row];
    case "chunk":
      return [chunkRow(key, row.chunk)];
  }
}
