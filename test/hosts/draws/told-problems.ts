import { isDeepStrictEqual } from "node:util";
import { type DurableEvent, isDurable, type TeamEvent } from "../../../shared/contract/event.ts";
import type { TeamSnapshot } from "../../../shared/contract/team.ts";
import { missedTexts } from "../../../shared/state/missed-texts.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { snapshotOf, stateFromSnapshot } from "../../../shared/state/team-state.ts";
import { lostProblems } from "../../faults/harness/told.ts";
import type { Told } from "./host-seat.ts";

/** What is wrong with what a client was told: each stored event after its first state, in order and once, and no other. */
export function toldProblems({ opened, events }: Told, stored: readonly DurableEvent[]): string[] {
  const told = events.filter(isDurable);
  const since = stored.filter(({ seq }) => seq > opened.lastSeq).slice(0, told.length);
  const at = told.findIndex((event, nth) => !isDeepStrictEqual(event, since[nth]));
  const different =
    at < 0
      ? []
      : [`after ${told[at - 1]?.seq ?? opened.lastSeq} it was told ${text(told[at])}, not ${text(since[at])}`];
  // The texts that were open at first are in the state, also those of nested teams.
  const open = missedTexts(undefined, stateFromSnapshot(opened));
  return [...different, ...lostProblems([...open, ...events], stored)];
}

/** What is wrong with what a client knows of a team at rest: it was told all, and has made of it what the host shows. */
export function knownProblems({ opened, events }: Told, shown: TeamSnapshot): string[] {
  const known = snapshotOf(events.reduce(reduceTeam, stateFromSnapshot(opened)));
  return Object.keys({ ...known, ...shown })
    .filter(
      (key): key is keyof TeamSnapshot =>
        !isDeepStrictEqual(known[key as keyof TeamSnapshot], shown[key as keyof TeamSnapshot]),
    )
    .map((key) => `it knows as ${key} ${text(known[key])}, and the host shows ${text(shown[key])}`);
}

/** Runs of the team itself that were in progress at the same time, and what happened in one after its end. */
export function overlapProblems(stored: readonly DurableEvent[]): string[] {
  const problems: string[] = [];
  const ended = new Set<string>();
  let running: string | undefined;
  for (const { type, runId, path, seq } of stored) {
    if (path !== undefined || runId === undefined) continue;
    if (type === "run/started") {
      if (running !== undefined) problems.push(`run ${runId} started in run ${running} (event ${seq})`);
      running = runId;
    }
    if (type === "run/ended") {
      ended.add(runId);
      running = undefined;
    } else if (ended.has(runId) && WORK.has(type)) problems.push(`${type} of the ended run ${runId} (event ${seq})`);
  }
  return problems;
}

/** Events that only a run in progress has. */
const WORK: ReadonlySet<TeamEvent["type"]> = new Set([
  "run/started",
  "speaker/selected",
  "message/started",
  "message/added",
  "tool/requested",
  "tool/started",
]);

const text = (value: unknown): string => JSON.stringify(value) ?? "nothing";
