import { basename } from "node:path";
import type { CommandGuard, CommandSettings } from "../command/command-guard.ts";
import { Sandbox } from "./sandbox.ts";
import type { PathRules } from "./workspace-paths.ts";

const sandbox = new Sandbox();
const state = await sandbox.state();

/** For tests that run commands in a sandbox: skips them where none can be started. */
export const sandboxed = { skip: state.available ? false : `needs bubblewrap: ${state.reason}` };

/** Hides `.env` and the folder `secrets`, and protects `.vscode`. */
const RULES: PathRules = {
  isHidden: (path) => [".env", "secrets"].includes(basename(path)),
  isReadOnly: (path) => basename(path) === ".vscode",
  key: "",
};

/** A guard with these settings and hidden paths. */
export function guardOf(
  settings: Partial<CommandSettings> = {},
  hidden: readonly string[] = [],
  isReadOnly = RULES.isReadOnly,
): CommandGuard {
  return {
    settings: () => ({ sandbox: true, allowedHosts: [], environment: [], ...settings }),
    sandbox,
    rules: () => ({ ...RULES, isReadOnly, key: String(isReadOnly) }),
    hidden,
  };
}
