import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { bundles, esbuildOptions } from "../../esbuild.mjs";
import { root } from "../root.ts";
import { type Mutant, mutated } from "./mutants.ts";

/** Bundles the agent host with a mutant in it. @returns false where the mutant cannot be bundled. */
export async function bundleServer(mutant: Mutant, outfile: string): Promise<boolean> {
  const server = bundles.find(({ entry }) => entry === "server/main.ts");
  if (server === undefined) throw new Error("esbuild.mjs has no bundle of server/main.ts.");
  const path = join(root, mutant.file);
  const plugin = {
    name: "mutant",
    setup: ({ onLoad }: import("esbuild").PluginBuild) =>
      onLoad({ filter: /\.ts$/ }, (loaded) =>
        loaded.path === path ? { contents: mutated(readFileSync(path, "utf8"), mutant), loader: "ts" } : undefined,
      ),
  };
  // Without the bundle's own plugin, which leaves out the SDK: this server is alone in its folder.
  const options = { ...esbuildOptions(server), outfile, sourcemap: false as const, minify: false, plugins: [plugin] };
  return build(options).then(
    () => true,
    () => false,
  );
}
