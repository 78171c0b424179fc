import { workspace } from "vscode";
import { MendedError } from "./errors/mended-error.ts";

/**
 * Refuses what would run something in a workspace that is not trusted. Commands are hidden there already; this holds for
 * whatever comes another way, such as another extension that executes one.
 */
export function requireTrust(): void {
  if (workspace.isTrusted) return;
  throw new MendedError("This workspace is not trusted, so no team runs in it; its transcripts can be read.", {
    label: "Manage Workspace Trust",
    command: "manageTrust",
  });
}
