import { ToolPreview } from "../../../shared/contract/inspection.ts";
import * as contract from "../../../shared/contract/requests.ts";
import { snapshotOf } from "../../../shared/state/team-state.ts";
import type { Host } from "../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests that preview an interrupt or a message, and that edit what an interrupt left. */
export function bindAfterInterruptRequests(options: BindOptions, host: () => Host): void {
  bindPreviews(options, host);

  bindRequest(options, contract.TeamInspectState, ({ teamId }) =>
    host()
      .sessions.get(teamId)
      .read((team) => team.inspect()),
  );
  bindRequest(options, contract.TeamQueue, async ({ teamId, ...change }) => {
    const session = host().sessions.get(teamId);
    const changes = Object.values(change).some((part) => part !== undefined);
    if (changes) await session.exclusive((team) => team.changeQueue(change));
    return { queued: [...session.current().queued] };
  });
  bindRequest(options, contract.TeamEditMessage, async ({ teamId, messageId, content }) =>
    host()
      .sessions.get(teamId)
      .exclusive((team) => {
        team.editMessage(messageId, content);
        return snapshotOf(team.state);
      }),
  );
  bindRequest(options, contract.TeamFork, ({ teamId, newTeamId }) =>
    snapshotOf(host().sessions.fork(teamId, newTeamId)),
  );
}

function bindPreviews(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.TeamPreviewInterrupt, ({ teamId, scope }) =>
    host()
      .sessions.get(teamId)
      .read((team) => team.previewInterrupt(scope)),
  );
  bindRequest(options, contract.TeamPreviewMessage, ({ teamId, to, ...how }) =>
    host()
      .sessions.get(teamId)
      .read((team) => team.previewMessage(to, how)),
  );
  bindRequest(options, contract.TeamPreviewTool, async ({ teamId, ref, input }) => {
    const shown = await host()
      .sessions.get(teamId)
      .read((team) => team.previewTool(ref, input));
    // A tool may return a preview of a kind that the protocol does not have.
    const preview = ToolPreview.safeParse(shown);
    return preview.success ? preview.data : null;
  });
}
