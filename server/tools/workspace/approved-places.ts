import type { CallEffects, PathEffect, ToolContext } from "../../engine/tool.ts";
import type { WorkspacePath } from "./workspace.ts";

/** The effects of a call that only uses these places. */
export const pathEffects = (use: PathEffect["use"], places: readonly WorkspacePath[]): CallEffects => ({
  paths: places.map(({ path }) => ({ use, path })),
  hosts: [],
});

/**
 * The place, if it is one that was approved with the call. A link or a folder may have been replaced since then, so that the
 * same name leads elsewhere. @throws Error when it does.
 */
export function approvedPlace(place: WorkspacePath, { effects }: Pick<ToolContext, "effects">): WorkspacePath {
  if (effects?.paths.some(({ path }) => path === place.path)) return place;
  throw new Error(`"${place.shown}" is not what was approved: its path leads elsewhere now; try again.`);
}
