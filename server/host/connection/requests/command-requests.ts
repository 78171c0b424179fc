import * as contract from "../../../../shared/contract/requests.ts";
import type { Host } from "../../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** Answers requests about commands that run in the background. */
export function bindCommandRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.TeamStopCommand, async ({ teamId, id }) =>
    host().commands.stop(teamId, id, host().user),
  );
  bindRequest(options, contract.TeamCommandOutput, (params, signal) => host().commands.output(params, signal));
}
