import type { Team } from "../team/team.ts";

/** When a run that does not end fails its test, in milliseconds: long after any that does. */
const LIMIT_MS = 120_000;

/** Resolves when no run is in progress: an answer to a message comes shortly before its run ends. @throws if none ends. */
export async function atRest(team: Pick<Team, "isRunning">): Promise<void> {
  const limit = performance.now() + LIMIT_MS;
  while (team.isRunning) {
    if (performance.now() > limit) throw new Error("The run has not ended.");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
