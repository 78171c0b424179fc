import { isDeepStrictEqual } from "node:util";
import { GavelError, invalidParams, messageOf } from "../../../../shared/contract/errors.ts";
import * as contract from "../../../../shared/contract/requests.ts";
import type { Host } from "../../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** Answers the requests about agents of other tools, and about team files that are no longer what their teams are. */
export function bindAgentRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.AgentsFind, async ({ own = false }) => host().definitions.findAgents(undefined, own));
  bindRequest(options, contract.TeamFileText, async ({ teamId, text }) => {
    const { method } = contract.TeamFileText;
    const session = await host().sessions.get(teamId);
    const { definition } = await session.current();
    if (definition === undefined) return { text };
    const context = await host().definitions.context();
    const [{ readTeamText }, { changedFileText }] = await Promise.all([
      import("../../team-file/parse-team-file.ts"),
      import("../../team-file/changed-file-text.ts"),
    ]);
    const file = await readTeamText(text, context, host().definitions.resolverOf(session.uri, context));
    if (!file.ok)
      throw invalidParams(method, [{ path: "text", message: "has problems of its own; correct the file first" }]);
    const { agents } = await host().definitions.findAgents(session.uri, false);
    try {
      return { text: changedFileText(text, file.definition, definition, agents) };
    } catch (error) {
      if (error instanceof GavelError) throw error;
      throw invalidParams(method, [{ path: "text", message: messageOf(error) }]);
    }
  });
  bindRequest(options, contract.TeamIsOutdated, async ({ teamId }) => {
    const { uri, definition } = await host().sessions.get(teamId);
    if (uri === undefined) return { isOutdated: false };
    const context = await host().definitions.context();
    try {
      const { readTeamFile } = await import("../../team-file/read-team-file.ts");
      const file = await readTeamFile(uri, context, host().definitions.resolverOf(uri, context));
      return { isOutdated: !isDeepStrictEqual(file.definition, definition) };
    } catch {
      return { isOutdated: true };
    }
  });
}
