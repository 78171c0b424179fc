import type { ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import spawn from "cross-spawn";
import { windowsProgram } from "./windows-program.ts";

const onWindows = process.platform === "win32";

/** A program as it is started: without a shell, so its arguments are taken as they are. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Starts a program on POSIX in a process group of its own. A watchdog in the group waits on descriptor 3, whose other
 * end the host holds: when the host exits or is killed, the system closes that end and the watchdog kills the group.
 */
const POSIX_START = `
( ( trap "" TERM INT HUP; read -r _ <&3; kill -KILL 0 ) </dev/null >/dev/null 2>&1 3<&3 & )
exec 3<&-
exec "$@"
`;

/**
 * Starts a program with three pipes, and a fourth for its watchdog. On Windows, where most package runners are `.cmd`
 * files, these get their arguments escaped for `cmd.exe`, so that none is a command.
 *
 * @throws Error for one that cannot be started, where that is known at once.
 */
export function startProgram({ command, args, cwd, env }: Program): ChildProcess {
  const [file, rest] = onWindows
    ? [windowsProgram(command, { env, isFile }), args]
    : ["/bin/sh", ["-c", POSIX_START, "sh", command, ...args]];
  return spawn(file, [...rest], {
    cwd,
    env: { ...env },
    detached: !onWindows,
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe", onWindows ? "ignore" : "pipe"],
  });
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
