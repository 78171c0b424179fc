import type { Database } from "../database.ts";
import { cursorText, type FindCursor, readCursor } from "./find-cursor.ts";
import { type FoundMessage, findMessages, type Place, type PlacedMessage } from "./find-messages.ts";
import { WantedText } from "./wanted-text.ts";

/** How many messages of one team are given before those of others. */
const FIRST_OF_TEAM = 3;

/** What to find: at most `limit` messages, those that come after a page with this cursor. */
export interface MessageSearch {
  readonly query: string;
  readonly limit: number;
  readonly after?: string | undefined;
}

/** Messages in which a text occurs, and the cursor for those that come next, if there are any. */
export interface FoundPage {
  readonly hits: (FoundMessage & { readonly teamId: string })[];
  readonly next?: string;
}

/**
 * Finds messages in all stored teams. First come the last three of each team, the team last used first, then in the same
 * order the others, which begin on a page of their own.
 */
export async function findInTeams(
  database: Database,
  { query, limit, after }: MessageSearch,
  signal?: AbortSignal,
): Promise<FoundPage> {
  const cursor = after === undefined ? FIRST : readCursor(after);
  const hits: FoundPage["hits"] = [];
  let { hasOthers } = cursor;
  let last = cursor;
  for await (const found of inRound(database, new WantedText(query), cursor)) {
    if (signal?.aborted) return { hits };
    if (found === "others") hasOthers = true;
    else if (hits.length === limit) return { hits, next: cursorText({ ...last, hasOthers }) };
    else {
      const { use, place, ...hit } = found;
      hits.push(hit);
      last = { ...cursor, use, place };
    }
  }
  return cursor.round === 2 || !hasOthers ? { hits } : { hits, next: cursorText({ ...FIRST, round: 2 }) };
}

type FoundInRound = PlacedMessage & Pick<SearchedTeam, "teamId" | "use">;

/** What a round has after the cursor; in the first round `"others"` stands for those that it leaves to the second. */
async function* inRound(
  database: Database,
  wanted: WantedText,
  { round, use: lastUse, place: lastPlace }: FindCursor,
): AsyncGenerator<FoundInRound | "others", void, undefined> {
  for (const { key, teamId, use } of await teamsUpTo(database, lastUse)) {
    let nth = 0;
    for await (const message of findMessages(database, key, wanted)) {
      const isFirst = ++nth <= FIRST_OF_TEAM;
      if (use === lastUse && !isBefore(message.place, lastPlace)) continue;
      if (isFirst === (round === 1)) yield { teamId, use, ...message };
      else if (round === 1) {
        yield "others";
        break;
      }
    }
  }
}

/** Before all messages. */
const FIRST: FindCursor = { round: 1, hasOthers: false, use: Number.MAX_SAFE_INTEGER, place: { seq: 0, entry: 0 } };

interface SearchedTeam {
  readonly key: number;
  readonly teamId: string;
  readonly use: number;
}

/** The teams that were last used then or before, the last used first. */
async function teamsUpTo(database: Database, use: number): Promise<readonly SearchedTeam[]> {
  const sql = `SELECT id, teamId, n FROM teams JOIN uses ON uses.team = id WHERE n <= ? ORDER BY n DESC`;
  const rows = await database.all(sql, use);
  return rows.map(({ id, teamId, n }) => ({ key: Number(id), teamId: String(teamId), use: Number(n) }));
}

const isBefore = (one: Place, other: Place): boolean =>
  one.seq < other.seq || (one.seq === other.seq && one.entry < other.entry);
