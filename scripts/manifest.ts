import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sourceFiles } from "./source-files.ts";

/** The parts of package.json that name a command. */
interface Manifest {
  readonly contributes?: {
    readonly commands?: readonly { readonly command: string }[];
    readonly keybindings?: readonly { readonly command: string }[];
    readonly menus?: Readonly<Record<string, readonly { readonly command?: string }[]>>;
  };
}

/**
 * What does not agree between the manifest and the client's code, one sentence each: a contributed command that no code
 * registers, a registered one that the manifest does not contribute, a menu or key for a command that does not exist.
 * While there is no client there is nothing to disagree with.
 */
export function manifestProblems(projectRoot: string): string[] {
  if (!existsSync(join(projectRoot, "client"))) return [];
  const manifest = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as Manifest;
  const contributed = new Set(manifest.contributes?.commands?.map(({ command }) => command));
  const registered = registeredCommands(projectRoot);
  const used = new Set(
    [...(manifest.contributes?.keybindings ?? []), ...Object.values(manifest.contributes?.menus ?? {}).flat()].flatMap(
      ({ command }) => (command?.startsWith("gavel.") ? [command] : []),
    ),
  );
  return [
    ...[...contributed]
      .filter((id) => !registered.has(id))
      .map((id) => `package.json contributes ${id}, which no code in client/ registers; register it or drop it.`),
    ...[...registered]
      .filter(([id]) => !contributed.has(id))
      .map(([id, file]) => `${file} registers ${id}, which package.json does not contribute; add it to its commands.`),
    ...[...used]
      .filter((id) => !contributed.has(id))
      .map((id) => `package.json gives a menu entry or a key to ${id}, which is not among its commands; add it there.`),
  ];
}

/** Command ids found in the client's code, each with the file it stands in. */
function registeredCommands(projectRoot: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of sourceFiles(projectRoot, "client")) {
    if (file.startsWith("client/webview/") || file.endsWith(".test.ts")) continue;
    const source = readFileSync(join(projectRoot, file), "utf8");
    for (const pattern of patternsFor(file)) {
      for (const match of source.matchAll(pattern)) found.set(match[1] ?? "", file);
    }
  }
  return found;
}

/** Anywhere, the id given to registerCommand; in client/commands, also the keys of the table of commands. */
function patternsFor(file: string): RegExp[] {
  const call = /registerCommand\(\s*"(gavel\.[A-Za-z.]+)"/g;
  const key = /^\s*"(gavel\.[A-Za-z.]+)"\s*:/gm;
  return /^client\/commands[./]/.test(file) ? [call, key] : [call];
}
