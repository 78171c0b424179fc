import { insertEvent } from "../events/event-rows.ts";
import { insertTexts } from "../events/long-texts.ts";
import { insertEdit } from "../records/edit-rows.ts";
import type { EventRow, Statement, TeamRow, Write, WriteResults } from "../write.ts";
import { type Claims, Conflict, get, run, type Steps } from "../write-steps.ts";

/** Everything that a write does but for `open`. @throws Conflict. */
export function* stepsOf(write: Exclude<Write, { kind: "open" }>, claims: Claims): Steps<WriteResults[Write["kind"]]> {
  switch (write.kind) {
    case "run": {
      if (write.ifHas !== undefined && !(yield* isHeld(write.ifHas, claims))) return 0;
      const changes = yield* run(...write.statements);
      if (write.texts !== undefined) yield* insertTexts(write.texts);
      return changes.at(-1) ?? 0;
    }
    case "team":
      return yield* storeTeam(write, claims);
    case "claim":
      return yield* claims.claim(write.team, write.fromDead);
    case "release":
      yield* claims.release(write.team);
      return null;
    case "edit":
      return yield* insertEdit(write.edit);
  }
}

function* isHeld(team: number, claims: Claims): Steps<boolean> {
  return (yield* claims.has(team)) ?? (yield* claims.claim(team, false));
}

function* storeTeam(write: Extract<Write, { kind: "team" }>, claims: Claims): Steps<null> {
  const { team, creation, claim, after, rows } = write;
  if (creation !== undefined && (yield* get("SELECT 1 AS n FROM teams WHERE id = ?", team)) === undefined)
    yield* run(...creation);
  const had = claim ? undefined : yield* claims.has(team);
  if (!(had ?? (yield* claims.claim(team, false)))) throw new Conflict("Another host runs the team.");
  const events = rows.filter((row) => row.kind === "event");
  // Events would be in the place of those of another host; text alone would be added to a run that it has ended.
  if (had === undefined && events.length === 0 && (yield* lastSeq(team)) !== after)
    throw new Conflict("Another host has run the team.");
  const stored = yield* storeEvents(team, events);
  yield* run(...rows.flatMap((row) => followingOf(row, stored)));
  for (const { seq, texts } of stored) yield* insertTexts({ team, seq, texts });
  return null;
}

function* lastSeq(team: number): Steps<number> {
  return Number((yield* get("SELECT max(seq) AS seq FROM events WHERE team = ?", team))?.["seq"] ?? 0);
}

/** @returns those that were not stored before. @throws Conflict for one in whose place there is another. */
function* storeEvents(team: number, events: readonly EventRow[]): Steps<ReadonlySet<EventRow>> {
  const changes = yield* run(...events.map((event) => insertEvent(team, event)));
  for (const [at, { seq, json }] of events.entries()) {
    if (changes[at] === 1) continue;
    const there = yield* get("SELECT json FROM events WHERE team = ? AND seq = ?", team, seq);
    if (there?.["json"] !== json) throw new Conflict("Another host has written the event.");
  }
  return new Set(events.filter((_, at) => changes[at] === 1));
}

function followingOf(row: TeamRow, stored: ReadonlySet<EventRow>): readonly Statement[] {
  if (row.kind === "other") return [row.statement];
  return stored.has(row) ? row.following : [];
}
