import * as contract from "../../../../shared/contract/requests.ts";
import { snapshotOf } from "../../../../shared/state/team-state.ts";
import type { Host } from "../../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about the users of a team. */
export function bindPeopleRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.TeamSetRole, async ({ teamId, ...change }) =>
    snapshotOf(await host().sessions.setRole(teamId, change)),
  );
  bindRequest(options, contract.TeamSetApprovers, async ({ teamId, required, from }) =>
    (await host().sessions.get(teamId)).exclusive((team) => {
      team.setApprovers({ required, ...(from === undefined ? {} : { from: [...new Set(from)] }) });
      return snapshotOf(team.state);
    }),
  );
}
