import type { DurableEvent, TeamEvent, TransientEvent } from "../../../shared/contract/event.ts";
import { isDurable } from "../../../shared/contract/event.ts";
import { mergedEvent } from "../../../shared/state/merge-events.ts";

/** The most characters of a running call's output that wait for the client. Its result has all of it. */
const MOST_OUTPUT = 100_000;

/**
 * Consecutive events of one team that the client has not been sent. Of those that are stored only the numbers are kept, and
 * of chunks the text of messages that are still open.
 */
export class UnsentEvents {
  readonly teamId: string;
  readonly #chunks = new Map<string, TransientEvent>();
  /** The `seq` before the first of them, and of the last; undefined if there are only chunks. */
  #stored: { after: number; readonly last: number } | undefined;

  constructor(teamId: string) {
    this.teamId = teamId;
  }

  add(event: TeamEvent): void {
    if (isDurable(event)) this.#addDurable(event);
    else this.#addChunk(event);
  }

  /** The numbers of stored events that are to be sent next: those after `after`, up to `last`. */
  get stored(): { readonly after: number; readonly last: number } | undefined {
    return this.#stored;
  }

  /** To be called when the events up to `seq` have been sent. */
  sentUntil(seq: number): void {
    if (this.#stored === undefined) return;
    this.#stored = seq < this.#stored.last ? { ...this.#stored, after: seq } : undefined;
  }

  /** What is to be sent once all stored events are. */
  get chunks(): Iterable<TransientEvent> {
    return this.#chunks.values();
  }

  #addDurable(event: DurableEvent): void {
    const { seq } = event;
    this.#stored = { after: this.#stored?.after ?? seq - 1, last: seq };
    if (event.type === "message/added") this.#chunks.delete(event.message.id);
    if (event.type === "tool/requested") this.#dropTextOf(event.participant, event.path);
    if (event.type === "tool/executed") this.#chunks.delete(event.ref);
    if (event.type === "run/ended" && event.path === undefined) this.#chunks.clear();
  }

  /** The text that came with calls is stored with them. */
  #dropTextOf(participant: string, path: DurableEvent["path"]): void {
    for (const [id, chunk] of this.#chunks) {
      if (chunk.type !== "message/chunk" || chunk.source !== participant) continue;
      if (chunk.path?.join("/") === path?.join("/")) this.#chunks.delete(id);
    }
  }

  #addChunk(event: TransientEvent): void {
    // The whole thought is stored, and comes later.
    if (event.type === "reasoning/chunk") return;
    const id = event.type === "message/chunk" ? event.messageId : event.ref;
    const before = this.#chunks.get(id);
    const merged = before === undefined ? event : mergedEvent(before, event);
    if (merged === undefined || (merged.type === "tool/output" && merged.delta.length > MOST_OUTPUT)) return;
    this.#chunks.set(id, merged);
  }
}
