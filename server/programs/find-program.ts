import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Program } from "./start-program.ts";
import { windowsProgram } from "./windows-program.ts";

/** The file of a program, as its start would find it; undefined where there is none. */
export function findProgram({ command, cwd, env }: Omit<Program, "args">): string | undefined {
  if (process.platform === "win32") return onWindows(command, cwd, env);
  if (command.includes("/")) return [resolve(cwd, command)].find(isProgram);
  const folders = (env["PATH"] ?? "").split(delimiter);
  // The shell takes an empty or relative folder from where it is.
  return folders.map((folder) => resolve(cwd, folder, command)).find(isProgram);
}

function onWindows(command: string, cwd: string, env: Program["env"]): string | undefined {
  try {
    const file = windowsProgram(command, { env, isFile });
    return isAbsolute(file) || isFile(join(cwd, file)) ? [resolve(cwd, file)].find(isFile) : undefined;
  } catch {
    return undefined;
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}
