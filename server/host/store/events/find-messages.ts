import { setImmediate } from "node:timers/promises";
import { ChatMessage } from "../../../../shared/contract/message.ts";
import { textOf } from "../../../../shared/contract/message-text.ts";
import { isRecord } from "../../../../shared/json-record.ts";
import type { Database } from "../database.ts";

/** How many events are looked through in one turn of the event loop, and how many bytes of JSON, but at least one event. */
const PART = 100;
const PART_BYTES = 500_000;

/** How much of a message is given around a match, in characters. */
const BEFORE = 30;
const AFTER = 90;

/** A message in which a text occurs. */
export interface FoundMessage {
  readonly messageId: string;
  readonly source: string;
  readonly at: string;
  /** The text around the first match, on one line. */
  readonly excerpt: string;
}

/**
 * The messages of a team in which `query` occurs, in any letter case, the last first; at most `limit`. The text of a message
 * that is stored apart, as it is very long, is not looked through.
 */
export async function findMessages(
  database: Database,
  key: number,
  query: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<FoundMessage[]> {
  const wanted = query.toLowerCase();
  const sql = `SELECT json FROM events WHERE team = ? AND seq > ? AND seq <= ? AND instr(json, '"message/added"') > 0
    AND instr(lower(json), ?) > 0 ORDER BY seq DESC`;
  const found: FoundMessage[] = [];
  let end = Number(database.get("SELECT max(seq) AS seq FROM events WHERE team = ?", key)?.["seq"] ?? 0);
  while (end > 0 && found.length < limit && !signal.aborted) {
    const start = startOfPart(database, key, end);
    for (const row of database.all(sql, key, start, end, verbatimPart(wanted))) {
      const message = foundIn(String(row["json"]), wanted);
      if (message !== undefined && found.length < limit) found.push(message);
    }
    end = start;
    await setImmediate();
  }
  return found;
}

/** The number before the first event of the part that ends with the number `end`. No event is read for it. */
function startOfPart(database: Database, key: number, end: number): number {
  const sql =
    "SELECT seq, octet_length(json) AS size FROM events WHERE team = ? AND seq > ? AND seq <= ? ORDER BY seq DESC";
  let bytes = 0;
  for (const [at, { seq, size }] of database.all(sql, key, end - PART, end).entries()) {
    bytes += Number(size);
    if (at > 0 && bytes > PART_BYTES) return Number(seq);
  }
  return end - PART;
}

/** The longest part of a text in small letters that SQLite finds in JSON as it is: it knows the case of ASCII only. */
function verbatimPart(text: string): string {
  return longest(text.split(/[^ !#-[\]-~]+/));
}

/** The longest part of a text that JSON has as it is, apart from letter case. */
const unescapedPart = (text: string): string => longest(text.split(/[\s"\\\p{Cc}]+/u));

const longest = (parts: readonly string[]): string =>
  parts.reduce((most, part) => (part.length > most.length ? part : most), "");

function foundIn(json: string, wanted: string): FoundMessage | undefined {
  // Most of what SQLite lets through need not be parsed.
  if (!json.toLowerCase().includes(unescapedPart(wanted))) return undefined;
  const message = messageIn(json);
  if (message === undefined) return undefined;
  const text = textOf(message).replace(/\s+/g, " ");
  const at = text.toLowerCase().indexOf(wanted.replace(/\s+/g, " "));
  if (at === -1) return undefined;
  const [start, end] = [Math.max(0, at - BEFORE), Math.min(text.length, at + wanted.length + AFTER)];
  const excerpt = `${start > 0 ? "…" : ""}${text.slice(start, end).trim()}${end < text.length ? "…" : ""}`;
  return { messageId: message.id, source: message.source, at: message.createdAt, excerpt };
}

/** Undefined for what is damaged, or no message. */
function messageIn(json: string): ChatMessage | undefined {
  try {
    const event: unknown = JSON.parse(json);
    return isRecord(event) && event["type"] === "message/added"
      ? ChatMessage.safeParse(event["message"]).data
      : undefined;
  } catch {
    return undefined;
  }
}
