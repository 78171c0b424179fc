import { existsSync, statSync } from "node:fs";
import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledPackages } from "./package/bundled-packages.ts";
import { thirdPartyNotices } from "./package/third-party-notices.ts";
import { root } from "./root.ts";
import { runNode, runTool } from "./run-process.ts";

const vsix = join(root, "dist", "gavel.vsix");

/** What vsce packages from, filtered by .vscodeignore. In the checkout itself it would walk through every cache. */
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
    const notices = thirdPartyNotices(await bundledPackages());
    await writeFile(join(staging, "ThirdPartyNotices.txt"), notices);
    // The bundles contain all dependencies. There is no public repository that links could point to.
    const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out"];
    const packed = `${vsix}.${process.pid}`;
    await runTool("@vscode/vsce", ["package", ...options, packed], { cwd: staging });
    // A process that installs the package at this moment reads the old file or the new one, never half of it.
    await rename(packed, vsix);
  } finally {
    await rm(staging, { recursive: true });
  }
  console.log(`dist/gavel.vsix        ${String(Math.round(statSync(vsix).size / 1000)).padStart(6)} kB of 3000`);
}
