import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";
import { runNode, runTool } from "./run-process.ts";

const script = (name: string) => () => runNode([join(root, "scripts", name)]);

/** Every check of the sources, in the order in which a failure is most telling. */
const checks: readonly (readonly [name: string, run: () => Promise<unknown>])[] = [
  ["types", () => runTool("typescript", ["-b"])],
  ["lint and format", () => runTool("@biomejs/biome", ["check", "--error-on-warnings", "."])],
  ["structure: areas, order of folders, no cycles", script("check-structure.ts")],
  ["manifest", script("check-manifest.ts")],
  ["JSON Schema of team files", () => runNode([join(root, "scripts", "team-schema.ts"), "--check"])],
  ["links in the documentation", script("check-links.ts")],
  ["generated parts of the documentation", () => runNode([join(root, "scripts", "docs.ts"), "--check"])],
  ["unused files, exports and packages", knip],
];

/** knip follows the three entry files; without one of them it would call everything below it unused. */
async function knip(): Promise<void> {
  const missing = ["client/main.ts", "client/webview/main.tsx", "server/main.ts"].filter(
    (entry) => !existsSync(join(root, entry)),
  );
  if (missing.length > 0) console.log(`  skipped: ${missing.join(", ")} not written yet`);
  else await runTool("knip", []);
}

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
