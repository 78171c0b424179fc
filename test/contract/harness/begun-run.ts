import type { RawEndpoint } from "../../../server/models/testing/raw-endpoint.ts";
import type { ModelDefinition } from "../../../shared/contract/definition.ts";
import { TeamOpen, TeamRun } from "../../../shared/contract/requests.ts";
import type { HostClient } from "../../host-client.ts";
import { roundRobin } from "./teams.ts";

/** A run of team "t", in which ann answers once, and the request of her model as it arrives at the endpoint. */
export async function begunRun(host: HostClient, endpoint: RawEndpoint, model: ModelDefinition) {
  const arriving = endpoint.next();
  await host.send(TeamOpen, { teamId: "t", definition: roundRobin({ names: ["ann"], model, maxTurns: 1 }) });
  const run = host.send(TeamRun, { teamId: "t", task: "go" });
  run.catch(() => {});
  return { run, arriving };
}
