import * as contract from "../../../../shared/contract/requests.ts";
import { snapshotOf } from "../../../../shared/state/team-state.ts";
import { assertModelSettings } from "../../definition/model-checks.ts";
import type { Host } from "../../host.ts";
import { fittingResult } from "../../sessions/fitting-result.ts";
import { bindAgentRequests } from "./agent-requests.ts";
import { bindApprovalRequests } from "./approval-requests.ts";
import { type BindOptions, bindRequest } from "./bind.ts";
import { bindCommandRequests } from "./command-requests.ts";
import { bindDefinitionRequests } from "./definition-requests.ts";
import { bindEditRequests } from "./edit-requests.ts";
import { bindFileRequests } from "./file-requests.ts";
import { bindInspectionRequests } from "./inspection-requests.ts";
import { bindMcpRequests } from "./mcp-requests.ts";
import { bindPeopleRequests } from "./people-requests.ts";
import { bindSetupRequests } from "./setup-requests.ts";

/** Answers every request of the protocol. `host` throws for a request that comes before `initialize`. */
export function bindTeamRequests(given: BindOptions, host: () => Host): void {
  const options: BindOptions = {
    ...given,
    forward: (request) => host().otherHosts?.forward(request),
    authorize: (teamId, method, params) => host().sessions.authorize(teamId, method, params),
  };
  bindOpening(options, host);
  bindRuns(options, host);
  bindState(options, host);
  bindDefinitionRequests(options, host);
  bindAgentRequests(options, host);
  bindMessages(options, host);
  bindEditRequests(options, host);
  bindFileRequests(options, host);
  bindApprovalRequests(options, host);
  bindInspectionRequests(options, host);
  bindSetupRequests(options, host);
  bindMcpRequests(options, host);
  bindCommandRequests(options, host);
  bindPeopleRequests(options, host);

  bindRequest(options, contract.ReasoningInterrupt, async ({ teamId, ...request }) =>
    (await host().sessions.get(teamId)).exclusive((team) => team.interruptReasoning(request), "nothing"),
  );
  bindRequest(options, contract.ToolsRegister, ({ tools }) => {
    host().clientTools.register(options.client(), tools);
    return null;
  });
  bindRequest(options, contract.ToolsOffer, ({ tools }) => {
    host().extensionTools.offer(options.client(), tools);
    return null;
  });
  bindRequest(options, contract.StorageResolve, ({ action }) => host().resolveStorage(action));
  bindRequest(options, contract.EndpointsForget, ({ origin }) => {
    host().permissions.forgetEndpoint(origin);
    return null;
  });
  bindRequest(options, contract.ProgramsForget, ({ digest }) => {
    host().permissions.forgetProgram(digest);
    return null;
  });
}

function bindOpening(options: BindOptions, host: () => Host): void {
  // Events after the state in the answer are sent after it, so it does not wait for them.
  const opening = { ...options, settled: async () => {} };
  bindRequest(opening, contract.TeamOpen, async (params) => snapshotOf(await host().open(params, options.client())));
  bindRequest(options, contract.TeamList, async () => ({ teams: await host().sessions.list() }));
  bindRequest(options, contract.TeamFind, ({ query, limit = 50, after }, signal) =>
    host().sessions.find({ query, limit, after }, signal),
  );
  bindRequest(opening, contract.TeamFork, async ({ teamId, newTeamId }) =>
    snapshotOf(await host().fork(teamId, newTeamId, options.client())),
  );
  bindRequest(opening, contract.TeamFollow, (params) => host().follow(params, options.client()));
  bindRequest(options, contract.TeamRename, async ({ teamId, title }) => {
    await (await host().sessions.get(teamId)).exclusive((team) => team.rename(title));
    return null;
  });
  bindRequest(options, contract.TeamDelete, async ({ teamId }) => {
    await host().sessions.delete(teamId);
    host().presence.forget(teamId);
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
    (await host().sessions.get(teamId)).exclusive((team) => {
      const interrupting = team.interrupt({ ...how, waitingCalls: "cancel" });
      options.client().interruptReceived(teamId);
      return interrupting;
    }, "nothing"),
  );
  bindRequest(options, contract.TeamResolveTools, async ({ teamId, ...answers }) => {
    const { result, ...outcome } = await (await host().sessions.get(teamId)).resolveTools(answers);
    return result === undefined ? outcome : { ...outcome, result: fittingResult(result) };
  });
  bindRequest(options, contract.TeamStop, async ({ teamId, withdraw }) => {
    await (await host().sessions.get(teamId)).stop(withdraw === true);
    return null;
  });
}

function bindState(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.TeamInspect, async ({ teamId }) =>
    snapshotOf(await (await host().sessions.get(teamId)).current()),
  );
  bindRequest(options, contract.TeamEvents, ({ teamId, ...which }) => host().sessions.events(teamId, which));
  bindRequest(options, contract.TeamSaveState, async ({ teamId }) => (await host().sessions.get(teamId)).save());
  bindRequest(options, contract.TeamSetModel, async ({ teamId, to, model }) => {
    assertModelSettings(model);
    return (await host().sessions.get(teamId)).exclusive((team) => {
      team.setModel(to, model);
      return snapshotOf(team.state);
    });
  });
  bindRequest(options, contract.TeamEditPlan, async ({ teamId, to, items, was }) => {
    await (await host().sessions.get(teamId)).exclusive((team) => team.editPlan(to, { items, was }));
    return null;
  });
  bindRequest(options, contract.TeamSummarizeContext, async ({ teamId, to }) => {
    await (await host().sessions.get(teamId)).exclusive((team) => team.summarizeContext(to));
    return null;
  });
  bindRequest(options, contract.TeamRestoreContext, async ({ teamId, to }) => {
    await (await host().sessions.get(teamId)).exclusive((team) => team.restoreContext(to));
    return null;
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
