import { globMatcher } from "../../engine/glob.ts";
import type { Entry } from "../workspace/walk.ts";

/**
 * Whether an entry matches a tool's `glob`. Without a slash, the glob is matched with names at any depth; with one,
 * with paths from the given folder or from the workspace, since models write either. Without a glob, every entry
 * matches.
 */
export function pathFilter(glob: string | undefined): (entry: Pick<Entry, "relativePath" | "shown">) => boolean {
  if (glob === undefined) return () => true;
  const pattern = glob.replace(/^(?:\.?\/)+/, "");
  const matches = globMatcher(glob.includes("/") ? pattern : `**/${pattern}`);
  return ({ relativePath, shown }) => matches(relativePath) || matches(shown);
}
