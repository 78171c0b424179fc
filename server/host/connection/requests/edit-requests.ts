import { fileURLToPath } from "node:url";
import { teamBusy } from "../../../../shared/contract/errors.ts";
import {
  EditsChanges,
  EditsFile,
  EditsKeep,
  EditsList,
  EditsMoved,
  EditsUndo,
} from "../../../../shared/contract/requests.ts";
import type { Host } from "../../host.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about edits to files. Nothing is undone during a run, which relies on what it has written. */
export function bindEditRequests(options: BindOptions, host: () => Host): void {
  bindRequest(options, EditsList, async ({ teamId }) => {
    const { sessions, edits } = host();
    return { turns: await edits.list((await sessions.get(teamId)).key) };
  });
  bindRequest(options, EditsUndo, async ({ teamId, turnId, files, all, after, overwrite, dryRun }) => {
    const { sessions, edits } = host();
    const session = await sessions.get(teamId);
    return session.exclusive((team) => {
      if (team.isRunning) throw teamBusy(teamId);
      const how = { overwrite, dryRun };
      if (files !== undefined) return edits.undoChanges(session.key, { kind: "files", files }, how);
      if (after !== undefined) return edits.undoChanges(session.key, { kind: "after", seq: after }, how);
      if (all === true) return edits.undoChanges(session.key, { kind: "all" }, how);
      return edits.undo(session.key, turnId, how);
    });
  });
  bindRequest(options, EditsChanges, async ({ teamId }) => {
    const { sessions, edits } = host();
    return edits.changes.list((await sessions.get(teamId)).key);
  });
  bindRequest(options, EditsFile, async ({ teamId, path }) => {
    const { sessions, edits } = host();
    return edits.changes.file((await sessions.get(teamId)).key, path);
  });
  bindRequest(options, EditsMoved, async ({ files }) => {
    const moves = files.flatMap(({ oldUri, newUri }) => {
      const [from, to] = [pathOf(oldUri), pathOf(newUri)];
      return from === undefined || to === undefined ? [] : { from, to };
    });
    return { moved: await host().edits.moved(moves) };
  });
  bindRequest(options, EditsKeep, async ({ teamId, turnId, files }) => {
    const { sessions, edits } = host();
    const { key } = await sessions.get(teamId);
    return turnId === undefined ? edits.changes.keep(key, files) : edits.changes.keepTurn(key, turnId);
  });
}

/** Undefined for what is not a file. */
function pathOf(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
