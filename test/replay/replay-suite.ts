import assert from "node:assert/strict";
import { test } from "node:test";
import { describeInjection, injectionsInto, type PlacedInjection } from "./injections.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { type Recording, record, replay } from "./replay.ts";

/** How many places are shown for each problem. */
const SHOWN_PLACES = 3;

/**
 * Records a team once and replays it with each injection; fails with all problems and where they occurred. The environment
 * variable `REPLAY` runs only the injections whose line contains it; `REPLAY_ALL=1` uses every variant at every event.
 * @param atLeast the minimum number of injections.
 */
export function replaySuite(team: RecordedTeam, atLeast: number): void {
  test(`${team.name}: interrupts, crashes and messages at any event stop it at once and do not change how it ends`, async (context) => {
    const recording = await record(team);
    const only = process.env["REPLAY"];
    const all = injectionsInto(team, recording.events, process.env["REPLAY_ALL"] === "1");
    const chosen = all.filter((placed) => only === undefined || lineOf(team, recording, placed).includes(only));
    const failures = new Map<string, string[]>();
    for (const placed of chosen) {
      const problems = await withUnhandledRejections(() => replay(team, recording, placed));
      for (const problem of problems) {
        failures.set(problem, [...(failures.get(problem) ?? []), lineOf(team, recording, placed)]);
      }
    }
    context.diagnostic(`${team.name}: ${chosen.length} injections at ${recording.events.length} events`);
    if (failures.size > 0)
      assert.fail([...failures].map(([problem, places]) => failureText(problem, places)).join("\n"));
    assert.ok(only !== undefined || all.length >= atLeast, `there are ${all.length} injections`);
  });
}

const failureText = (problem: string, places: readonly string[]): string =>
  [`${problem}, ${places.length} times:`, ...places.slice(0, SHOWN_PLACES)].join("\n  ");

const lineOf = ({ name }: RecordedTeam, { events }: Recording, { at, injection }: PlacedInjection): string =>
  `${name}: event ${at} ${events[at]?.type}, ${describeInjection(injection)}`;

/** The problems that `play` finds, and all rejections that were not handled meanwhile. */
async function withUnhandledRejections(play: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const unhandled: string[] = [];
  const listen = (error: unknown): void => void unhandled.push(`unhandled rejection: ${String(error)}`);
  process.on("unhandledRejection", listen);
  const problems = await play();
  process.off("unhandledRejection", listen);
  return [...problems, ...unhandled];
}
