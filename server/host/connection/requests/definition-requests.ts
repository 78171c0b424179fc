import { fileURLToPath } from "node:url";
import { invalidParams, messageOf } from "../../../../shared/contract/errors.ts";
import * as contract from "../../../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../../../shared/contract/team.ts";
import { snapshotOf } from "../../../../shared/state/team-state.ts";
import { changedDefinition } from "../../definition/changed-definition.ts";
import { assertNoCredentials } from "../../definition/model-checks.ts";
import type { Host } from "../../host.ts";
import { readSavedState } from "../../sessions/saved-state.ts";
import { NoStateFile, readStateFile } from "../../sessions/state-file.ts";
import { readDefinition } from "../../team-file/read-definition.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** Answers the requests that may give a team another definition: changes of participants, and saved states. */
export function bindDefinitionRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.TeamChangeParticipants, async ({ teamId, ...change }) => {
    const session = await host().sessions.get(teamId);
    const context = await host().definitions.context();
    const state = await session.changeParticipants((before) => {
      const { definition: wanted, ...changed } = changedDefinition(before, change);
      const { definition } = readDefinition(wanted, context);
      // It becomes an event, which clients see.
      assertNoCredentials(definition);
      return { ...changed, definition };
    });
    return snapshotOf(state);
  });
  bindRequest(options, contract.TeamLoadState, ({ teamId, state }) =>
    load(host(), teamId, state, contract.TeamLoadState.method),
  );
  bindRequest(options, contract.TeamSaveStateFile, async ({ teamId, uri }) => ({
    bytes: await (await host().sessions.get(teamId)).saveFile(fileOf(uri, contract.TeamSaveStateFile.method)),
  }));
  bindRequest(options, contract.TeamLoadStateFile, async ({ teamId, uri }) => {
    const { method } = contract.TeamLoadStateFile;
    await host().sessions.get(teamId);
    return load(host(), teamId, await stateIn(fileOf(uri, method), method), method);
  });
}

async function load(host: Host, teamId: string, value: unknown, method: string): Promise<TeamSnapshot> {
  const session = await host.sessions.get(teamId);
  const context = await host.definitions.context();
  const state = await session.load((team) => {
    const saved = readSavedState(value, team, method);
    if (saved.definition === undefined) return saved;
    const { definition } = readDefinition(saved.definition, context);
    assertNoCredentials(definition);
    return { ...saved, definition };
  });
  return snapshotOf(state);
}

/** @throws GavelError `InvalidParams`. */
function fileOf(uri: string, method: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    throw invalidParams(method, [
      { path: "uri", message: "is not the URI of a file; give one that begins with file:///" },
    ]);
  }
}

/** @throws GavelError `InvalidParams` for a file that cannot be read, or is none of a saved state. */
async function stateIn(path: string, method: string): Promise<unknown> {
  try {
    return await readStateFile(path);
  } catch (error) {
    const why = error instanceof NoStateFile ? `is not a whole state file: ${error.message}` : messageOf(error);
    throw invalidParams(method, [{ path: "uri", message: `${why}; give a file that team/saveStateFile wrote` }]);
  }
}
