import type { ToolPreview } from "../../shared/contract/inspection.ts";
import { visibleText } from "../../shared/text/visible-text.ts";

/** Where a pending command would run, in a sentence; undefined for a preview of something else. */
export function sandboxText(preview: ToolPreview): string | undefined {
  if (preview === null || !("sandbox" in preview)) return undefined;
  if (preview.sandbox === "on")
    return "It runs in the sandbox: it can change only the workspace, and use only the allowed hosts.";
  const why = preview.reason === undefined ? "" : ` (${visibleText(preview.reason).text})`;
  return `It runs without a sandbox${why}: it can change every file that you can, and use the network.`;
}

/** What running outside the sandbox means. */
export const OUTSIDE_MEANS =
  "Outside the sandbox the command can read and change every file that you can, and use the network.";
