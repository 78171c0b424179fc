import type { SQLInputValue } from "node:sqlite";
import type { DatabaseRow } from "./database.ts";
import type { Statement } from "./write.ts";

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
  /**
   * Whether this host still has a team that it has claimed; undefined where an answer was lost, so that this is not known:
   * then it is to be claimed again.
   */
  has(team: number): Steps<boolean | undefined>;
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

/** What a list shows of a team is stored before its claim is given up. */
export function* seemsToRun(team: number): Steps<boolean> {
  return (yield* get("SELECT status FROM summaries WHERE team = ?", team))?.["status"] === "running";
}
