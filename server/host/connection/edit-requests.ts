import { teamBusy } from "../../../shared/contract/errors.ts";
import { EditsList, EditsUndo } from "../../../shared/contract/requests.ts";
import type { Host } from "../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about edits to files. Nothing is undone during a run, which relies on what it has written. */
export function bindEditRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, EditsList, async ({ teamId }) => {
    const { sessions, edits } = host();
    return { turns: edits.list((await sessions.get(teamId)).key) };
  });
  bindRequest(options, EditsUndo, async ({ teamId, turnId }) => {
    const { sessions, edits } = host();
    const session = await sessions.get(teamId);
    return session.exclusive((team) => {
      if (team.isRunning) throw teamBusy(teamId);
      return edits.undo(session.key, turnId);
    });
  });
}
