import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import type { TaskResult } from "../../../shared/contract/team.ts";
import type { HostClient } from "../../host-client.ts";
import type { FakeEndpoint } from "./endpoint.ts";
import { openai, roundRobin } from "./teams.ts";

/** So long that it is still streaming whenever a test acts on it. */
export const LONG = Array.from({ length: 2_000 }, (_, at) => `word${at} `).join("");
/** An endpoint's pace, in characters and milliseconds. */
export const SLOW = { chunkSize: 7, latency: 5 };

export interface LongRun {
  readonly run: Promise<TaskResult>;
  readonly definition: TeamDefinition;
}

/** A run of team "t" whose first speaker, ann, is in the middle of a long message; bob, who is next, is brief. */
export async function beginLongRun(host: HostClient, endpoint: FakeEndpoint): Promise<LongRun> {
  endpoint.says("ann", LONG, SLOW).says("bob", "bob is brief");
  const definition = roundRobin({ model: openai(endpoint.baseUrl), termination: { maxMessages: 6 } });
  await host.send(TeamOpen, { teamId: "t", definition });
  const run = host.send(TeamRun, { teamId: "t", task: "go" });
  // The host may exit with the test before the run ends.
  run.catch(() => {});
  await host.streamed("t", 50);
  return { run, definition };
}
