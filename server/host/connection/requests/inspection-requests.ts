import { ToolPreview } from "../../../../shared/contract/inspection.ts";
import * as contract from "../../../../shared/contract/requests.ts";
import type { Host } from "../../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests that show a team's state in detail, or what an interrupt, a message or a tool call would do. */
export function bindInspectionRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, contract.TeamInspectState, async ({ teamId }) =>
    (await host().sessions.get(teamId)).read(async (team) => {
      await team.prepareInspection();
      return team.inspect();
    }),
  );
  bindRequest(options, contract.TeamPreviewInterrupt, async ({ teamId, scope }) => {
    const session = await host().sessions.get(teamId);
    const preview = await session.read((team) => team.previewInterrupt(scope));
    // What another host runs, it alone can interrupt.
    const isElsewhere = preview.isRunning && !session.isBusy;
    return isElsewhere
      ? { isRunning: false, participants: [], tools: [], streaming: [], waits: preview.waits }
      : preview;
  });
  bindRequest(options, contract.TeamPreviewMessage, async ({ teamId, to, ...how }) =>
    (await host().sessions.get(teamId)).read((team) => team.previewMessage(to, how)),
  );
  bindRequest(options, contract.TeamPreviewTool, async ({ teamId, ref, input }) => {
    const shown = await (await host().sessions.get(teamId)).read((team) => team.previewTool(ref, input));
    // A tool may return a preview of a kind that the protocol does not have.
    const preview = ToolPreview.safeParse(shown);
    return preview.success ? preview.data : null;
  });
}
