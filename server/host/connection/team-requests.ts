import { fileURLToPath } from "node:url";
import { invalidParams, messageOf, teamBusy } from "../../../shared/contract/errors.ts";
import * as contract from "../../../shared/contract/requests.ts";
import { snapshotOf } from "../../../shared/state/team-state.ts";
import { assertModelSettings } from "../definition/model-checks.ts";
import type { Host } from "../host.ts";
import { fittingResult } from "../sessions/fitting-result.ts";
import { readSavedState } from "../sessions/saved-state.ts";
import { NoStateFile, readStateFile } from "../sessions/state-file.ts";
import { bindApprovalRequests } from "./approval-requests.ts";
import { type BindOptions, bindRequest } from "./bind.ts";
import { bindEditRequests } from "./edit-requests.ts";
import { bindFileRequests } from "./file-requests.ts";
import { bindInspectionRequests } from "./inspection-requests.ts";
import { bindSetupRequests } from "./setup-requests.ts";

/** Answers every request of the protocol. `host` throws for a request that comes before `initialize`. */
export function bindTeamRequests(options: BindOptions, host: () => Host): void {
  bindOpening(options, host);
  bindRuns(options, host);
  bindState(options, host);
  bindMessages(options, host);
  bindEditRequests(options, host);
  bindFileRequests(options, host);
  bindApprovalRequests(options, host);
  bindInspectionRequests(options, host);
  bindSetupRequests(options, host);

  bindRequest(options, contract.ReasoningInterrupt, async ({ teamId, ...request }) =>
    (await host().sessions.get(teamId)).exclusive((team) => team.interruptReasoning(request), "nothing"),
  );
  bindRequest(options, contract.ToolsRegister, ({ tools }) => {
    host().clientTools.register(tools);
    return null;
  });
  bindRequest(options, contract.StorageResolve, ({ action }) => host().resolveStorage(action));
  bindRequest(options, contract.EndpointsForget, ({ origin }) => {
    host().endpoints.forget(origin);
    return null;
  });
  bindRequest(options, contract.ProgramsForget, ({ digest }) => {
    host().programs.forget(digest);
    return null;
  });
}

function bindOpening(options: BindOptions, host: () => Host): void {
  // Events after the state in the answer are sent after it, so it does not wait for them.
  const opening = { ...options, settled: async () => {} };
  bindRequest(opening, contract.TeamOpen, async (params) => snapshotOf(await host().open(params)));
  bindRequest(options, contract.TeamList, async () => ({ teams: await host().sessions.list() }));
  bindRequest(options, contract.TeamFind, ({ query, limit = 50, after }, signal) =>
    host().sessions.find({ query, limit, after }, signal),
  );
  bindRequest(opening, contract.TeamFork, async ({ teamId, newTeamId }) =>
    snapshotOf(await host().sessions.fork(teamId, newTeamId)),
  );
  bindRequest(options, contract.TeamRename, async ({ teamId, title }) => {
    await (await host().sessions.get(teamId)).exclusive((team) => team.rename(title));
    return null;
  });
  bindRequest(options, contract.TeamDelete, async ({ teamId }) => {
    await host().sessions.delete(teamId);
    return null;
  });
}

function bindRuns(options: BindOptions, host: () => Host): void {
  bindRequest(
    options,
    contract.TeamRun,
    async ({ teamId, task, handoff }, signal) =>
      fittingResult(await host().sessions.run(teamId, (team) => team.run(task, { signal, handoff }))),
    "stopRun",
  );
  bindRequest(
    options,
    contract.TeamSendUserMessage,
    async ({ teamId, to, messages, ...how }, signal) =>
      fittingResult(
        await host().sessions.run(teamId, (team) =>
          team.sendUserMessage(to, typeof messages === "string" ? [messages] : messages, { ...how, signal }),
        ),
      ),
    "stopRun",
  );
  bindRequest(options, contract.TeamInterrupt, async ({ teamId, ...how }) =>
    (await host().sessions.get(teamId)).exclusive(
      (team) => team.interrupt({ ...how, waitingCalls: "cancel" }),
      "nothing",
    ),
  );
  bindRequest(options, contract.TeamResolveTools, async ({ teamId, ...answers }) => {
    const { result, ...outcome } = await (await host().sessions.get(teamId)).resolveTools(answers);
    return result === undefined ? outcome : { ...outcome, result: fittingResult(result) };
  });
  bindRequest(options, contract.TeamStop, async ({ teamId }) => {
    await (await host().sessions.get(teamId)).stop();
    return null;
  });
}

function bindState(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.TeamInspect, async ({ teamId }) =>
    snapshotOf(await (await host().sessions.get(teamId)).current()),
  );
  bindRequest(options, contract.TeamEvents, ({ teamId, ...which }) => host().sessions.events(teamId, which));
  bindRequest(options, contract.TeamSaveState, async ({ teamId }) => (await host().sessions.get(teamId)).save());
  bindRequest(options, contract.TeamLoadState, async ({ teamId, state }) =>
    (await host().sessions.get(teamId)).exclusive((team) => {
      if (team.isRunning) throw teamBusy(teamId);
      team.load(readSavedState(state, team.state));
      return snapshotOf(team.state);
    }),
  );
  bindRequest(options, contract.TeamSaveStateFile, async ({ teamId, uri }) => ({
    bytes: await (await host().sessions.get(teamId)).saveFile(fileOf(uri, contract.TeamSaveStateFile.method)),
  }));
  bindRequest(options, contract.TeamLoadStateFile, async ({ teamId, uri }) => {
    const { method } = contract.TeamLoadStateFile;
    const session = await host().sessions.get(teamId);
    const state = await stateIn(fileOf(uri, method), method);
    return session.exclusive((team) => {
      if (team.isRunning) throw teamBusy(teamId);
      team.load(readSavedState(state, team.state, method));
      return snapshotOf(team.state);
    });
  });
  bindRequest(options, contract.TeamSetModel, async ({ teamId, to, model }) => {
    assertModelSettings(model);
    return (await host().sessions.get(teamId)).exclusive((team) => {
      team.setModel(to, model);
      return snapshotOf(team.state);
    });
  });
  bindRequest(options, contract.TeamCheckpoints, async ({ teamId }) => ({
    checkpoints: await (await host().sessions.get(teamId)).checkpoints(),
  }));
  bindRequest(options, contract.TeamRewind, async ({ teamId, seq }) => {
    const { state, from } = await (await host().sessions.get(teamId)).rewind(seq);
    return { team: snapshotOf(state), from };
  });
  bindRequest(options, contract.TeamReset, async ({ teamId }) =>
    (await host().sessions.get(teamId)).exclusive((team) => {
      team.reset();
      return snapshotOf(team.state);
    }),
  );
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

/** Changes to messages: those that wait to be delivered, and partial ones in the thread. */
function bindMessages(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.TeamQueue, async ({ teamId, ...change }) => {
    const session = await host().sessions.get(teamId);
    const hasChanges = Object.values(change).some((part) => part !== undefined);
    if (hasChanges) await session.exclusive((team) => team.changeQueue(change));
    return { queued: [...(await session.current()).queued] };
  });
  bindRequest(options, contract.TeamEditMessage, async ({ teamId, messageId, content }) =>
    (await host().sessions.get(teamId)).exclusive((team) => {
      team.editMessage(messageId, content);
      return snapshotOf(team.state);
    }),
  );
}
