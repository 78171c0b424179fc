import { type GavelError, teamBusyElsewhere } from "../../../shared/contract/errors.ts";
import type { DurableEvent, TeamEvent, TransientEvent } from "../../../shared/contract/event.ts";
import { firstLine, textOf } from "../../../shared/contract/message-text.ts";
import type { Journal } from "../../engine/index.ts";
import type { Database } from "./database.ts";
import { insertSummed, setSum } from "./row-sums.ts";
import { SQLITE_CONSTRAINT, sqliteCode } from "./storage-failure.ts";
import { eventText } from "./stored-event.ts";

const INSERT_EVENT = insertSummed("events");
const INSERT_CHUNK = insertSummed("chunks");
const SUM_SUMMARY = setSum("summaries", "team = ?");

interface OpenText {
  readonly source: string;
  readonly path: string;
  delta: string;
}

/**
 * Stores one team's events. An event is one small write, and the writes of one turn of the event loop are committed
 * together: no event may be sent before `Store.commit`. The chunks of a message become one row per turn of the event loop.
 * When a commit fails, the journal is broken, and the team has to be loaded from the store again.
 */
export class TeamJournal implements Journal {
  readonly #database: Database;
  readonly #teamId: string;
  readonly #key: number;
  readonly #unwritten = new Map<string, OpenText>();
  readonly #lost = (error: GavelError): void => {
    this.#broken = error;
  };
  #broken: GavelError | undefined;
  #chunks = 0;

  constructor(database: Database, teamId: string, key: number) {
    this.#database = database;
    this.#teamId = teamId;
    this.#key = key;
  }

  /** True once an appended event is lost; nothing more can be appended then. */
  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  append(event: DurableEvent): void {
    const json = eventText(event);
    this.#write(() => {
      this.#database.run(INSERT_EVENT, this.#key, event.seq, json);
      // An added message contains its text, so its chunks are not needed.
      this.#writeChunks(event.type === "message/added" ? event.message.id : undefined);
      follows[event.type]?.(this.#database, this.#key, event);
    });
    // A tool may have effects that cannot be undone, so its start is durable before it runs.
    if (event.type === "tool/started") this.#database.commit();
  }

  appendTransient(event: TransientEvent): void {
    if (event.type !== "message/chunk") return;
    const open = this.#unwritten.get(event.messageId);
    if (open === undefined) {
      const { source, delta } = event;
      this.#unwritten.set(event.messageId, { source, path: pathText(event), delta });
    } else open.delta += event.delta;
  }

  /** Writes the deferred text of open messages. @throws GavelError `StorageError`. */
  flush(): void {
    if (this.#unwritten.size > 0) this.#write(() => this.#writeChunks());
  }

  #write(work: () => void): void {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      this.#database.batch(work, this.#lost);
    } catch (error) {
      // Another host has written this event number, or deleted the team.
      if (error instanceof Error && sqliteCode(error.cause) === SQLITE_CONSTRAINT)
        throw teamBusyElsewhere(this.#teamId);
      throw error;
    }
  }

  #writeChunks(except?: string): void {
    for (const [messageId, { source, path, delta }] of this.#unwritten) {
      if (messageId === except) continue;
      this.#database.run(INSERT_CHUNK, this.#key, messageId, this.#chunks++, path, source, delta);
    }
    this.#unwritten.clear();
  }
}

type Follow = (database: Database, key: number, event: DurableEvent) => void;

/** What else is written in the same transaction as an event. A list of teams shows only what happens in the team itself. */
const follows: Readonly<Partial<Record<DurableEvent["type"], Follow>>> = {
  "run/started": (database, key, { at, path }) => {
    if (path !== undefined) return;
    database.run("UPDATE summaries SET status = 'running', updatedAt = ? WHERE team = ?", at, key);
    database.run(SUM_SUMMARY, key);
  },

  "message/added": (database, key, event) => {
    if (event.type !== "message/added") return;
    const { message, at, path } = event;
    database.run("DELETE FROM chunks WHERE team = ? AND messageId = ?", key, message.id);
    if (path !== undefined) return;
    database.run(
      "UPDATE summaries SET threadLength = threadLength + 1, lastLine = ?, updatedAt = ? WHERE team = ?",
      firstLine(textOf(message)),
      at,
      key,
    );
    database.run(SUM_SUMMARY, key);
  },

  /** The text that came with the calls is stored with them. */
  "tool/requested": (database, key, event) => {
    if (event.type !== "tool/requested") return;
    const { participant } = event;
    database.run("DELETE FROM chunks WHERE team = ? AND path = ? AND source = ?", key, pathText(event), participant);
  },

  /** The end of a nested team's run leaves the text of those who speak beside it. */
  "run/ended": (database, key, event) => {
    if (event.path === undefined) database.run("DELETE FROM chunks WHERE team = ?", key);
    else database.run("DELETE FROM chunks WHERE team = ? AND path = ?", key, pathText(event));
  },
};

/** The nested team of an event as it is stored, JSON: "[]" for the team itself. */
function pathText({ path = [] }: TeamEvent): string {
  return JSON.stringify(path);
}
