import type { SQLInputValue } from "node:sqlite";
import type { DatabaseRow } from "./database.ts";
import { insertEvent } from "./events/event-rows.ts";
import { insertTexts } from "./events/long-texts.ts";
import { insertEdit } from "./records/edit-rows.ts";
import type { EventRow, Statement, TeamRow, Write, WriteResults } from "./write.ts";

/**
 * What a write does next: change rows, for which it gets how many each statement changed, or read one. Statements of one
 * step do not depend on what those before them have changed.
 */
export type Step = { readonly run: readonly Statement[] } | { readonly get: Statement };

/** What a write does, one step after another, whatever database carries it out. */
export type Steps<T> = Generator<Step, T, unknown>;

/** Which teams this host has. */
export interface Claims {
  /** See the write of that name in write.ts. */
  claim(team: number, fromDead: boolean): Steps<boolean>;
  release(team: number): Steps<void>;
  /** Whether this host may still write events of a team that it has claimed. Where another may have it, it is claimed. */
  has(team: number): Steps<boolean>;
}

/** Another host has the team, has written the event, or has deleted the team. */
export class Conflict extends Error {}

/** @returns how many rows each statement has changed. */
export function* run(...statements: readonly Statement[]): Steps<readonly number[]> {
  // Sound because what carries out the step answers it so.
  return (statements.length === 0 ? [] : yield { run: statements }) as readonly number[];
}

export function* get(sql: string, ...values: readonly SQLInputValue[]): Steps<DatabaseRow | undefined> {
  return (yield { get: [sql, ...values] }) as DatabaseRow | undefined;
}

/** What is known without a step. */
// biome-ignore lint/correctness/useYield: there is no step.
export function* known<T>(value: T): Steps<T> {
  return value;
}

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
