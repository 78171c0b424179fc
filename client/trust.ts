import { workspace } from "vscode";
import { ActionableError } from "./errors/actionable-error.ts";

/**
 * Refuses what would run something in a workspace that is not trusted. Commands are hidden there already; this holds for
 * whatever comes another way, such as another extension that executes one.
 */
export function requireTrust(): void {
  if (workspace.isTrusted) return;
  throw new ActionableError(
    "Teams do not run in a workspace that is not trusted. You can still read their transcripts.",
    {
      label: "Manage Workspace Trust",
      command: "manageTrust",
    },
  );
}
