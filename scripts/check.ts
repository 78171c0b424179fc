import { join } from "node:path";
import { root } from "./root.ts";
import { runNode, runTool } from "./run-process.ts";

const script = (name: string) => () => runNode([join(root, "scripts", name)]);

/** The checks of the sources, the most informative failures first. */
const checks: readonly (readonly [name: string, run: () => Promise<unknown>])[] = [
  ["types", () => runTool("typescript", ["-b"])],
  ["lint and format", () => runTool("@biomejs/biome", ["check", "--error-on-warnings", "."])],
  ["structure: areas, order of folders, no cycles, messages only by client/dialogs", script("check-structure.ts")],
  ["manifest", script("check-manifest.ts")],
  ["lock file: an integrity for every package, no address", script("check-lockfile.ts")],
  ["JSON Schema of team files", () => runNode([join(root, "scripts", "team-schema.ts"), "--check"])],
  ["wording: banned words, wide comments", script("check-wording.ts")],
  ["links in the documentation", script("check-links.ts")],
  ["generated parts of the documentation", () => runNode([join(root, "scripts", "docs.ts"), "--check"])],
  ["unused files, exports and packages", () => runTool("knip", [])],
];

let failed = 0;
for (const [name, run] of checks) {
  const start = performance.now();
  try {
    await run();
    console.log(`✔ ${name} (${Math.round(performance.now() - start)} ms)`);
  } catch (error) {
    failed++;
    console.error(`✖ ${name}\n${error instanceof Error ? error.message : String(error)}\n`);
  }
}
process.exitCode = failed === 0 ? 0 : 1;
