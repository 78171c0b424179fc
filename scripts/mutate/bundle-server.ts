import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { bundles, esbuildOptions } from "../../esbuild.mjs";
import { root } from "../root.ts";
import { type Mutant, mutated } from "./mutants.ts";

/** What a host needs to run: its own bundle, and that of its thread beside it. */
const PARTS = ["dist/server.js", "dist/store-worker.js", "dist/search-worker.js", "dist/html-worker.js"];

/**
 * Bundles the agent host with a mutant in it into a folder.
 * @returns the host's script; undefined where the mutant cannot be bundled.
 */
export async function bundleServer(mutant: Mutant, folder: string): Promise<string | undefined> {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const path = join(root, mutant.file);
  const plugin = {
    name: "mutant",
    setup: ({ onLoad }: import("esbuild").PluginBuild) =>
      onLoad({ filter: /\.ts$/ }, (loaded) =>
        loaded.path === path ? { contents: mutated(readFileSync(path, "utf8"), mutant), loader: "ts" } : undefined,
      ),
  };
  // Without the bundles' own plugins: what these leave out is not in the folder.
  const changes = { sourcemap: false as const, minify: false, plugins: [plugin] };
  const parts = bundles.filter(({ output }) => PARTS.includes(output));
  const built = parts.map((part) =>
    build({ ...esbuildOptions(part), ...changes, outfile: join(folder, basename(part.output)) }),
  );
  return Promise.all(built).then(
    () => join(folder, "server.js"),
    () => undefined,
  );
}
