import { globMatcher } from "../../engine/glob.ts";
import type { Entry } from "../workspace/walk.ts";

/**
 * Which entries a tool's `glob` means: without a slash their names, at any depth; with one their paths, from the folder that was
 * asked for or from the workspace, since models write either. Every entry when there is no glob.
 */
export function pathFilter(glob: string | undefined): (entry: Pick<Entry, "below" | "shown">) => boolean {
  if (glob === undefined) return () => true;
  const pattern = glob.replace(/^(?:\.?\/)+/, "");
  const matches = globMatcher(glob.includes("/") ? pattern : `**/${pattern}`);
  return ({ below, shown }) => matches(below) || matches(shown);
}
