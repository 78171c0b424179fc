import { existsSync, statSync } from "node:fs";
import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./root.ts";
import { runNode, runTool } from "./run-process.ts";

const vsix = join(root, "dist", "gavel.vsix");

/** What vsce gets to see; .vscodeignore says what of it goes in. It would else walk through every cache of the checkout. */
const offered = [".vscodeignore", "CHANGELOG.md", "LICENSE", "README.md", "dist", "media", "package.json"];

try {
  await runNode([join(root, "esbuild.mjs")], { output: "inherit" });
  await packageExtension();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function packageExtension(): Promise<void> {
  const staging = await mkdtemp(join(tmpdir(), "gavel-package-"));
  try {
    for (const name of offered) {
      if (existsSync(join(root, name))) await cp(join(root, name), join(staging, name), { recursive: true });
    }
    // Everything is in the bundles, so no package is taken along. There is no public repository to point links at.
    const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out"];
    const packed = `${vsix}.${process.pid}`;
    await runTool("@vscode/vsce", ["package", ...options, packed], { cwd: staging });
    // Whoever installs it meanwhile has the old one or the new one, whole.
    await rename(packed, vsix);
  } finally {
    await rm(staging, { recursive: true });
  }
  console.log(`dist/gavel.vsix        ${String(Math.round(statSync(vsix).size / 1000)).padStart(6)} kB of 1000`);
}
