import { setImmediate } from "node:timers/promises";
import type { DurableEvent } from "../../../../shared/contract/event.ts";
import type { SavedState } from "../../../../shared/contract/saved-state.ts";
import { MAX_CHARACTERS } from "../../../../shared/state/last-messages.ts";
import type { Database, DatabaseRow } from "../database.ts";
import { isIntact } from "../row-sums.ts";
import { isOfTypes } from "./event-rows.ts";
import { readText, type TextUse, usesOf } from "./long-texts.ts";
import { readEvent } from "./stored-event.ts";

/** How many events are looked at in one turn of the event loop. */
const PART = 100;

/** The events that say which messages a thread ends with. */
const OF_THREAD: readonly DurableEvent["type"][] = [
  "message/added",
  "message/edited",
  "message/dropped",
  "team/reset",
  "state/loaded",
];

/** Events whose texts are not in a team's state. */
const WITHOUT_TEXTS: ReadonlySet<string> = new Set<DurableEvent["type"]>([
  "run/started",
  "tool/executed",
  "reasoning/start",
  "reasoning/thought",
  "interrupt/requested",
  "interrupt/completed",
  "model/asked",
  "error",
]);

const ROWS = `SELECT seq, json ->> '$.type' AS type, json -> '$.path' AS path,
    coalesce(json ->> '$.messageId', json ->> '$.message.id') AS id, json ->> '$.message.source' AS source
  FROM events WHERE team = ? AND seq > ? AND seq <= ?
    AND ${isOfTypes(OF_THREAD)} ORDER BY seq DESC`;

/** The texts of a message that are stored apart; `field`: where in their places the field of the message is named. */
interface MessageTexts {
  readonly seq: number;
  readonly uses: readonly TextUse[];
  readonly field: number;
}

/**
 * Which texts, of those that are stored apart, the state of a team is made of, as its thread holds only the last messages:
 * going back from the last event, those of so many messages as a thread holds, and the last one of each participant, whose
 * first line is shown. The same before each change of a message, as the thread of then says what the participant's last line
 * is after it. The others are left out.
 */
export class StateTexts {
  /** The last event that this is about. */
  readonly until: number;
  readonly #used: ReadonlySet<string>;
  readonly #texts: ReadonlyMap<string, string>;

  private constructor(until: number, { used, texts }: Threads) {
    this.until = until;
    this.#used = used;
    this.#texts = texts;
  }

  /** Those of the events after `after`. Undefined if all are to be read: there are none, or something is damaged. */
  static async find(database: Database, team: number, after: number): Promise<StateTexts | undefined> {
    const first = "SELECT min(seq) AS first FROM textUses WHERE team = ? AND seq > ?";
    const start = (await database.get(first, team, after))?.["first"];
    if (typeof start !== "number") return undefined;
    const until = Number((await database.get("SELECT max(seq) AS seq FROM events WHERE team = ?", team))?.["seq"] ?? 0);
    const threads = new Threads(database, team);
    try {
      for (let last = until; last >= start && !threads.isOver; last -= PART) {
        const from = Math.max(last - PART, start - 1);
        for (const row of await database.all(ROWS, team, from, last, ...OF_THREAD)) await threads.before(row);
        await setImmediate();
      }
    } catch {
      return undefined;
    }
    return new StateTexts(until, threads);
  }

  isUsed(type: string, seq: number, place: string): boolean {
    if (WITHOUT_TEXTS.has(type)) return false;
    return (type !== "message/added" && type !== "state/loaded") || this.#used.has(keyOf(seq, place));
  }

  /** One that was read to find the others. */
  text(seq: number, place: string): string | undefined {
    return this.#texts.get(keyOf(seq, place));
  }
}

const keyOf = (seq: number, place: string): string => `${seq} ${place}`;

/** The threads of a team and its nested teams, from their ends. */
class Threads {
  readonly used = new Set<string>();
  /** Those that the last messages of the threads have, as far as a thread holds so much. */
  readonly texts = new Map<string, string>();
  /** What comes before is in no thread: the team was reset, or got another state. */
  isOver = false;
  readonly #database: Database;
  readonly #team: number;
  readonly #threads = new Map<string, ThreadEnd>();
  #kept = 0;

  constructor(database: Database, team: number) {
    this.#database = database;
    this.#team = team;
  }

  /** An event of `OF_THREAD`, which comes before those that were given. @throws Error for one that is damaged. */
  async before(row: DatabaseRow): Promise<void> {
    if (this.isOver) return;
    const seq = Number(row["seq"]);
    const path = row["path"] === null ? "[]" : String(row["path"]);
    const thread = this.#thread(path);
    switch (row["type"]) {
      case "message/added": {
        const source = String(row["source"]);
        const uses = await usesOf(this.#database, this.#team, seq);
        // Only what is relied on is verified.
        if (uses.length > 0 || !thread.knows(source)) await this.#event(seq);
        await this.#message(thread, String(row["id"]), source, { seq, uses, field: 1 });
        return;
      }
      case "message/edited":
      case "message/dropped":
        thread.changed(String(row["id"]));
        return;
      default: {
        // A nested team is reset, or gets another state, with the team around it.
        if (path !== "[]") throw new Error("An event is one of a nested team.");
        const event = await this.#event(seq);
        if (event.type === "state/loaded") await this.#loaded(seq, event.state);
        this.isOver = true;
      }
    }
  }

  /** @throws Error for a text that is damaged. */
  async #loaded(seq: number, state: SavedState): Promise<void> {
    const byEntry = new Map<string, TextUse[]>();
    for (const use of await usesOf(this.#database, this.#team, seq)) {
      const entry = entryOf(JSON.parse(use.place) as readonly (string | number)[]);
      if (entry === undefined) this.used.add(keyOf(seq, use.place));
      else byEntry.set(entry, [...(byEntry.get(entry) ?? []), use]);
    }
    const visit = async (saved: SavedState, names: readonly string[]): Promise<void> => {
      const thread = this.#thread(JSON.stringify(names));
      for (const [at, entry] of [...saved.transcript.entries()].reverse()) {
        if (entry.kind !== "message") continue;
        const { id, source } = entry.message;
        const uses = byEntry.get(JSON.stringify([names, at])) ?? [];
        // Its place begins with "state", names of nested teams, "transcript", a number, and "message".
        await this.#message(thread, id, source, { seq, uses, field: 4 + 2 * names.length });
      }
      for (const [name, inner] of Object.entries(saved.inner ?? {})) await visit(inner, [...names, name]);
    };
    await visit(state, []);
  }

  async #message(thread: ThreadEnd, id: string, source: string, { seq, uses, field }: MessageTexts): Promise<void> {
    if (!thread.isUsed(source)) return;
    let characters = 0;
    for (const { place, hash, pieces } of uses) {
      const text = await readText(this.#database, hash, pieces);
      this.used.add(keyOf(seq, place));
      this.#keep(keyOf(seq, place), text);
      if ((JSON.parse(place) as readonly unknown[])[field] === "content") characters += text.length;
    }
    thread.add(id, source, characters);
  }

  #keep(key: string, text: string): void {
    if (this.#kept > MAX_CHARACTERS) return;
    this.#kept += text.length;
    this.texts.set(key, text);
  }

  #thread(path: string): ThreadEnd {
    const known = this.#threads.get(path);
    if (known !== undefined) return known;
    const thread = new ThreadEnd();
    this.#threads.set(path, thread);
    return thread;
  }

  /** An event without its long texts. @throws Error for one that is damaged. */
  async #event(seq: number): Promise<DurableEvent> {
    const row = await this.#database.get(
      "SELECT team, seq, json, sum FROM events WHERE team = ? AND seq = ?",
      this.#team,
      seq,
    );
    if (row === undefined || !isIntact("events", row)) throw new Error("An event is damaged.");
    return readEvent(seq, JSON.parse(String(row["json"])));
  }
}

/** The last messages of one thread, from its end. */
class ThreadEnd {
  #left = MAX_CHARACTERS;
  /** Messages that later events change or drop, so that they may be shorter than they were. */
  readonly #changed = new Set<string>();
  readonly #sources = new Set<string>();

  changed(id: string): void {
    this.#left = MAX_CHARACTERS;
    this.#changed.add(id);
  }

  /** Whether a later message of that participant is known. */
  knows(source: string): boolean {
    return this.#sources.has(source);
  }

  /** Whether the state is made of a message of that participant before those that were added. */
  isUsed(source: string): boolean {
    return this.#left >= 0 || !this.knows(source);
  }

  add(id: string, source: string, characters: number): void {
    if (this.#changed.has(id)) return;
    this.#left -= characters;
    this.#sources.add(source);
  }
}

/** The entry of a transcript in a loaded state that a text is in: the names of nested teams, and the entry's number. */
function entryOf(place: readonly (string | number)[]): string | undefined {
  const names: string[] = [];
  // After "state".
  let at = 1;
  for (; place[at] === "inner"; at += 2) names.push(String(place[at + 1]));
  return place[at] === "transcript" ? JSON.stringify([names, place[at + 1]]) : undefined;
}
