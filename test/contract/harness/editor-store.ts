import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { registerStore } from "../../../client/host/store-places.ts";
import type { CommandLine } from "./command-line.ts";

/** Writes down the store of the folder as the extension does; returns the file. */
export async function registered(
  gavel: CommandLine,
  paths: { readonly storagePath: string; readonly globalStoragePath: string },
): Promise<string> {
  const place = { platform: process.platform, home: gavel.home, variables: gavel.environment };
  mkdirSync(paths.globalStoragePath, { recursive: true });
  await registerStore({ folders: [gavel.folder], ...paths }, place);
  const [file = ""] = readdirSync(gavel.home, { recursive: true, encoding: "utf8" }).filter((name) =>
    /folders.[0-9a-f]+\.json$/.test(name),
  );
  return join(gavel.home, file);
}
