import { isAbsolute, relative } from "node:path";
import { isWithin, type Workspace } from "../workspace/workspace.ts";

/** An agent names files by their absolute paths; rules and users know them by those in the workspace. */
export function shortPath(workspace: Workspace, path: string): string {
  const [root, ...others] = workspace.roots();
  const isShort = root !== undefined && others.length === 0 && isAbsolute(path) && isWithin(root, path);
  return isShort ? relative(root, path) || path : path;
}
