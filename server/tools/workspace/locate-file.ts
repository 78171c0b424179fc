import { similarFiles } from "./near-matches.ts";
import { locate, NotFoundError, type Workspace, type WorkspacePath } from "./workspace.ts";

/** Locates an existing file. @throws Error when there is none, with similar file names. */
export async function locateFile(workspace: Workspace, path: string, signal: AbortSignal): Promise<WorkspacePath> {
  try {
    return await locate(workspace, path);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const near = await similarFiles(workspace, path, signal);
    const hint = near.length === 0 ? "Use listFiles to see the existing files." : `Did you mean ${near.join(" or ")}?`;
    throw new Error(`There is no file "${path}" in the workspace. ${hint}`);
  }
}
