import type { ToolContext } from "../../engine/tool.ts";
import type { EditOrigin } from "../edits/edit-log.ts";
import type { ChangedFile } from "../edits/file-versions.ts";
import type { Sandbox, SandboxState } from "../sandbox/sandbox.ts";
import type { PathRules } from "../sandbox/workspace-paths.ts";

/** What the user's settings say about commands. */
export interface CommandSettings {
  /** Run commands in the sandbox, where there is one. */
  readonly sandbox: boolean;
  /** Hosts that sandboxed commands may connect to; names may have stars and a port. */
  readonly allowedHosts: readonly string[];
  /** Names, which may have stars, of environment variables that commands get besides the usual ones. */
  readonly environment: readonly string[];
}

/** What limits the commands of models. */
export interface CommandGuard {
  readonly settings: () => CommandSettings;
  readonly sandbox: Sandbox;
  /** The files of the workspace that sandboxed commands of that participant must not read or write. */
  readonly rules: (caller: Pick<ToolContext, "teamId" | "participant">) => PathRules | Promise<PathRules>;
  /** Called when a command has ended, with the files of the workspace that changed while it ran. */
  readonly changed?: (caller: EditOrigin, command: string, files: readonly ChangedFile[]) => Promise<void>;
  /** Absolute paths that sandboxed commands do not find: Gavel's own storage. */
  readonly hidden: readonly string[];
}

/** Whether the next command runs in the sandbox; if not, why, as the end of a sentence. */
export async function sandboxStateOf(guard: CommandGuard | undefined): Promise<SandboxState> {
  if (guard === undefined) return { available: false, reason: "this program uses none" };
  if (!guard.settings().sandbox) return { available: false, reason: "the setting gavel.sandbox.enabled turns it off" };
  return guard.sandbox.state();
}
