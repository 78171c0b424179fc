import { nearMatches } from "./near-matches.ts";
import { locate, NotFound, type Place, type Workspace } from "./workspace.ts";

/** The place of a file that is there. @throws Error when there is none, with the files that may have been meant. */
export async function locateFile(workspace: Workspace, path: string, signal: AbortSignal): Promise<Place> {
  try {
    return await locate(workspace, path);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    const near = await nearMatches(workspace, path, signal);
    const mend = near.length === 0 ? "See what there is with listFiles." : `Did you mean ${near.join(" or ")}?`;
    throw new Error(`There is no file "${path}" in the workspace. ${mend}`);
  }
}
