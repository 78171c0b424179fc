import { workspace } from "vscode";
import { ActionableError } from "./errors/actionable-error.ts";

/**
 * Checks that the workspace is trusted. Commands that run something are disabled in Restricted Mode; this also stops
 * calls that come another way, such as from another extension.
 * @throws ActionableError with the action to manage workspace trust.
 */
export function requireTrust(
  message = "Teams do not run in Restricted Mode. You can still read their transcripts.",
): void {
  if (workspace.isTrusted) return;
  throw new ActionableError(message, {
    label: "Manage Workspace Trust",
    command: "manageTrust",
  });
}
