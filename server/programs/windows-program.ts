import { win32 } from "node:path";

/** What Windows takes as programs where the environment does not say it. */
const EXTENSIONS = ".COM;.EXE;.BAT;.CMD";

interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isFile: (path: string) => boolean;
}

/**
 * The file that a name means on Windows: one on the PATH, with an extension of PATHEXT. Unlike Windows itself, this does not
 * look in the current folder, where a repository could have a program of the same name. A path is left as it is.
 *
 * @throws Error when there is none.
 */
export function windowsProgram(command: string, { env, isFile }: Place): string {
  if (/[\\/:]/.test(command)) return command;
  const extensions = (variableOf(env, "PATHEXT") ?? EXTENSIONS).split(";").filter((text) => text.startsWith("."));
  const hasExtension = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  const names = [...(hasExtension ? [command] : []), ...extensions.map((extension) => command + extension)];
  for (const folder of (variableOf(env, "PATH") ?? "").split(";")) {
    const path = folder.replaceAll('"', "").trim();
    // A relative folder is in the current one.
    if (!win32.isAbsolute(path)) continue;
    const found = names.map((name) => win32.join(path, name)).find(isFile);
    if (found !== undefined) return found;
  }
  throw new Error(`could not be started (there is no program "${command}" on the PATH)`);
}

/** Names of variables have no case on Windows. */
const variableOf = (env: Place["env"], wanted: string): string | undefined =>
  Object.entries(env).find(([name]) => name.toUpperCase() === wanted)?.[1];
