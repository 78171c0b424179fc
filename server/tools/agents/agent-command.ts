import { isRecord } from "../../../shared/json-record.ts";
import type { Tool } from "../../engine/tool.ts";
import type { CommandGuard } from "../command/command-guard.ts";
import { runCommandTool } from "../command/run-command.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { shortPath } from "./short-path.ts";

/**
 * Runs a command of an agent program, as `runCommand` does and as that for the rules. Which files change meanwhile is
 * noticed as all that an agent changes.
 */
export function agentCommandTool(workspace: Workspace, { changed: _, ...guard }: CommandGuard): Tool {
  const tool = runCommandTool(workspace, guard);
  const prepare = (value: unknown): unknown => {
    if (!isRecord(value) || typeof value["cwd"] !== "string") return tool.prepare?.(value) ?? value;
    const { cwd, ...rest } = value;
    const [root, ...others] = workspace.roots();
    const isDefault = cwd === root && others.length === 0;
    const short = isDefault ? rest : { ...rest, cwd: shortPath(workspace, cwd) };
    return tool.prepare?.(short) ?? short;
  };
  return { ...tool, prepare };
}
