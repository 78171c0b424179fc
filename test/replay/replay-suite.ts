import assert from "node:assert/strict";
import { test } from "node:test";
import { describe, injectionsInto, type Placed } from "./injection.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { type Recording, record, replay } from "./replay.ts";

/** How many places are told of each thing that is wrong. */
const TOLD = 3;

/**
 * Records a team once, and replays it with each injection that there is; fails with all that went wrong, each with its place.
 * The environment variable `REPLAY` runs only those whose line contains it, and `REPLAY_ALL=1` every way at every event.
 * @param atLeast how many injections there are, at the least.
 */
export function replayed(team: RecordedTeam, atLeast: number): void {
  test(`${team.name}: whatever comes at whichever event, it stops at once and comes to the same end`, async (context) => {
    const recording = await record(team);
    const only = process.env["REPLAY"];
    const all = injectionsInto(team, recording.events, process.env["REPLAY_ALL"] === "1");
    const chosen = all.filter((placed) => only === undefined || lineOf(team, recording, placed).includes(only));
    const failures = new Map<string, string[]>();
    for (const placed of chosen) {
      const problems = await undisturbed(() => replay(team, recording, placed));
      for (const problem of problems) {
        failures.set(problem, [...(failures.get(problem) ?? []), lineOf(team, recording, placed)]);
      }
    }
    context.diagnostic(`${team.name}: ${chosen.length} injections at ${recording.events.length} events`);
    if (failures.size > 0) assert.fail([...failures].map(([problem, places]) => told(problem, places)).join("\n"));
    assert.ok(only !== undefined || all.length >= atLeast, `there are ${all.length} injections`);
  });
}

const told = (problem: string, places: readonly string[]): string =>
  [`${problem}, ${places.length} times:`, ...places.slice(0, TOLD)].join("\n  ");

const lineOf = ({ name }: RecordedTeam, { events }: Recording, { at, injection }: Placed): string =>
  `${name}: event ${at} ${events[at]?.type}, ${describe(injection)}`;

/** What `play` finds, and the rejections that nobody has handled meanwhile. */
async function undisturbed(play: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const unhandled: string[] = [];
  const listen = (error: unknown): void => void unhandled.push(`nobody handled a rejection: ${String(error)}`);
  process.on("unhandledRejection", listen);
  const problems = await play();
  process.off("unhandledRejection", listen);
  return [...problems, ...unhandled];
}
