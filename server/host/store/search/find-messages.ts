import { setImmediate } from "node:timers/promises";
import { ChatMessage } from "../../../../shared/contract/message.ts";
import { textOf } from "../../../../shared/contract/message-text.ts";
import { isRecord } from "../../../../shared/json-record.ts";
import { hasTexts, withTexts } from "../cut-texts.ts";
import type { Database, DatabaseRow } from "../database.ts";
import { readTexts } from "../events/long-texts.ts";
import type { WantedText } from "./wanted-text.ts";

/** How many events are looked through in one turn of the event loop, and how many bytes of JSON, but at least one event. */
const PART = 100;
const PART_BYTES = 500_000;

/** Where a message was found: its event, and in a state that was loaded its entry. */
export interface Place {
  readonly seq: number;
  readonly entry: number;
}

/** A message in which a text occurs. */
export interface FoundMessage {
  readonly messageId: string;
  readonly source: string;
  readonly at: string;
  /** The text around the first match, on one line. */
  readonly excerpt: string;
}

export type PlacedMessage = FoundMessage & { readonly place: Place };

// Of events that add messages only those are read in which the text may occur, or all of them.
const ROWS = `SELECT seq, json FROM events WHERE team = ?1 AND seq > ?2 AND seq <= ?3 AND (
    (instr(json, '"message/added"') > 0 AND (?5 OR instr(lower(json), ?4) > 0 OR instr(json, '"$texts"') > 0))
    OR instr(json, '"message/edited"') > 0 OR instr(json, '"message/dropped"') > 0
    OR instr(json, '"team/reset"') > 0 OR instr(json, '"state/loaded"') > 0)
  ORDER BY seq DESC`;

/**
 * The messages in which a text occurs, the last first: those of the team's present thread, as the user has edited them, and
 * those of its nested teams since the thread began. What is damaged is left out.
 */
export async function* findMessages(
  database: Database,
  key: number,
  wanted: WantedText,
): AsyncGenerator<PlacedMessage, void, undefined> {
  const known: Known = { texts: new Map(), unseen: new Set(), found: new Set() };
  for (let end = await lastSeq(database, key); end > 0; await setImmediate()) {
    const start = await startOfPart(database, key, end);
    const isAll = known.unseen.size > 0;
    const rows = await database.all(ROWS, key, start, end, wanted.verbatim, isAll ? 1 : 0);
    end = start;
    for (const row of rows) {
      const event = await eventIn(database, key, row, wanted, known);
      if (event === undefined) continue;
      const seq = Number(row["seq"]);
      yield* messagesOf(event, seq, wanted, known);
      if (beginsThread(event)) return;
      if (!isAll && known.unseen.size > 0) {
        // The text of the edited message, among the events before, may be another one.
        end = seq - 1;
        break;
      }
    }
  }
}

/** What is known of messages from later events. */
interface Known {
  /** What the user has made of partial messages: the new text, null without the message. */
  readonly texts: Map<string, string | null>;
  /** The edited ones whose own events have not been read. */
  readonly unseen: Set<string>;
  readonly found: Set<string>;
}

type StoredEvent = Readonly<Record<string, unknown>>;

async function lastSeq(database: Database, key: number): Promise<number> {
  return Number((await database.get("SELECT max(seq) AS seq FROM events WHERE team = ?", key))?.["seq"] ?? 0);
}

/** The number before the first event of the part that ends with the number `end`. No event is read for it. */
async function startOfPart(database: Database, key: number, end: number): Promise<number> {
  const sql =
    "SELECT seq, octet_length(json) AS size FROM events WHERE team = ? AND seq > ? AND seq <= ? ORDER BY seq DESC";
  let bytes = 0;
  for (const [at, { seq, size }] of (await database.all(sql, key, end - PART, end)).entries()) {
    bytes += Number(size);
    if (at > 0 && bytes > PART_BYTES) return Number(seq);
  }
  return end - PART;
}

/** The event of a row, with its long texts; undefined for what is damaged, or adds nothing that is looked for. */
async function eventIn(
  database: Database,
  key: number,
  row: DatabaseRow,
  wanted: WantedText,
  { unseen }: Known,
): Promise<StoredEvent | undefined> {
  const json = String(row["json"]);
  const isCandidate = unseen.size > 0 || !json.includes('"message/added"') || json.includes('"$texts"');
  // Most of what SQLite lets through need not be parsed.
  if (!isCandidate && !wanted.mayBeIn(json)) return undefined;
  try {
    const event: unknown = JSON.parse(json);
    const whole = hasTexts(event) ? withTexts(event, await readTexts(database, key, Number(row["seq"]))) : event;
    return isRecord(whole) ? whole : undefined;
  } catch {
    return undefined;
  }
}

/** The messages that an event has added, as they are now, and in which the text occurs; the last first. */
function messagesOf(event: StoredEvent, seq: number, wanted: WantedText, known: Known): readonly PlacedMessage[] {
  switch (event["type"]) {
    case "message/added":
      return foundIn(event["message"], { seq, entry: 0 }, wanted, known);
    case "message/edited":
    case "message/dropped":
      noteEdit(event, known);
      return [];
    case "state/loaded":
      return event["path"] === undefined
        ? transcriptOf(event).flatMap(([entry, message]) => foundIn(message, { seq, entry }, wanted, known))
        : [];
    default:
      return [];
  }
}

function noteEdit({ messageId, content }: StoredEvent, { texts, unseen }: Known): void {
  if (typeof messageId !== "string" || texts.has(messageId)) return;
  texts.set(messageId, typeof content === "string" ? content : null);
  if (typeof content === "string") unseen.add(messageId);
}

/** The messages of a state that was loaded, each with the index of its entry; the last first. */
function transcriptOf({ state }: StoredEvent): readonly (readonly [number, unknown])[] {
  const transcript = isRecord(state) && Array.isArray(state["transcript"]) ? state["transcript"] : [];
  return transcript
    .map((entry: unknown, at) => [at, isRecord(entry) ? entry["message"] : undefined] as const)
    .filter(([, message]) => message !== undefined)
    .reverse();
}

function foundIn(value: unknown, place: Place, wanted: WantedText, known: Known): readonly PlacedMessage[] {
  const message = ChatMessage.safeParse(value).data;
  if (message === undefined) return [];
  const { texts, unseen, found } = known;
  unseen.delete(message.id);
  const edited = texts.get(message.id);
  const excerpt = edited === null ? undefined : wanted.excerptOf(edited ?? textOf(message));
  if (excerpt === undefined || found.has(message.id)) return [];
  found.add(message.id);
  return [{ messageId: message.id, source: message.source, at: message.createdAt, excerpt, place }];
}

/** Whether nothing before the event is in the team's thread. */
const beginsThread = ({ type, path }: StoredEvent): boolean =>
  path === undefined && (type === "team/reset" || type === "state/loaded");
