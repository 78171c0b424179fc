import { insertEvent } from "../events/event-rows.ts";
import { insertTexts } from "../events/long-texts.ts";
import { insertEdit } from "../records/edit-rows.ts";
import type { EventRow, Statement, TeamRow, Write, WriteResults } from "../write.ts";
import { type Claims, Conflict, get, run, type Steps } from "../write-steps.ts";

/** Everything that a write does but for `open`. @throws Conflict. */
export function* stepsOf(write: Exclude<Write, { kind: "open" }>, claims: Claims): Steps<WriteResults[Write["kind"]]> {
  switch (write.kind) {
    case "run": {
      if (write.ifHas !== undefined && !(yield* claims.has(write.ifHas))) return 0;
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

function* storeTeam(write: Extract<Write, { kind: "team" }>, claims: Claims): Steps<null> {
  const { team, creation, claim, rows } = write;
  if (creation !== undefined && (yield* get("SELECT 1 AS n FROM teams WHERE id = ?", team)) === undefined)
    yield* run(...creation);
  const isHeld = claim ? yield* claims.claim(team, false) : yield* claims.has(team);
  if (!isHeld) throw new Conflict("Another host runs the team.");
  const stored = yield* storeEvents(
    team,
    rows.filter((row) => row.kind === "event"),
  );
  yield* run(...rows.flatMap((row) => followingOf(row, stored)));
  for (const { seq, texts } of stored) yield* insertTexts({ team, seq, texts });
  return null;
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
