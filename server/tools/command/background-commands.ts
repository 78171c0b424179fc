import type { BackgroundCommand } from "../../../shared/contract/background-command.ts";
import type { ToolContext } from "../../engine/tool.ts";
import type { BackgroundProcess } from "./background-process.ts";

/** A background command of a team, and its process where this host has it. */
export interface KnownCommand {
  readonly command: BackgroundCommand;
  /** Undefined for one of a host that has stopped, or whose output is not kept any more. */
  readonly process: BackgroundProcess | undefined;
}

/** The background commands of teams. */
export interface BackgroundCommands {
  /**
   * Records that a call starts a command, and starts it once that is stored. It ends with its team, or with the host.
   * @throws Error when the team runs as many as it may, and what `start` throws.
   */
  start(
    caller: Pick<ToolContext, "teamId" | "ref">,
    command: string,
    start: () => BackgroundProcess,
  ): Promise<{ readonly id: string; readonly process: BackgroundProcess }>;
  /** Those that a team runs, and the last that ended. */
  list(teamId: string): Promise<readonly KnownCommand[]>;
  /** Ends a command; resolves with it when it has ended. `by` is recorded, if it did not end by itself. */
  stop(teamId: string, id: string, by: string): Promise<BackgroundCommand>;
}

/** Who reads output: a participant, by its path. What one has read is not read by another one. */
export const readerOf = ({ participant, path = [] }: ToolContext): string => JSON.stringify([...path, participant]);
