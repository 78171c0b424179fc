import type { BackgroundCommand, CommandEnd } from "../contract/background-command.ts";
import { visibleLines } from "./visible-text.ts";

/** How a command ended, to follow its name: `exit code 1`. */
export function commandEndText({ exit, stoppedBy, lost, problem }: CommandEnd): string {
  if (problem !== undefined) return `not started: ${problem}`;
  if (lost === "mayRun") return "its host stopped, and it may still run";
  if (lost === "ended") return "ended with its host";
  const by = stoppedBy === undefined ? "" : `stopped by ${stoppedBy}`;
  if (exit === undefined) return by === "" ? "ended" : by;
  if ("timedOut" in exit) return "ended, as its time was up";
  const how = "code" in exit ? `exit code ${exit.code}` : `ended by signal ${exit.signal}`;
  return by === "" ? how : `${by}, ${how}`;
}

/** That a background command has ended, and how. */
export const endedCommandText = ({ command, end }: { readonly command: string; readonly end: CommandEnd }): string =>
  `Background command ${visibleLines(shortCommand(command))}: ${commandEndText(end)}`;

/** A command line as one short line. */
export function shortCommand(command: string, length = 80): string {
  const line = command.trim().replace(/\s+/g, " ");
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}

/** The participant who started a command, with the path to its nested team. */
export const starterOf = ({ participant, through = [] }: BackgroundCommand): string =>
  [...through, participant].join("/");
