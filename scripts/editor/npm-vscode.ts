import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runNpm } from "../run-process.ts";
import { cacheFolder } from "./cache-folder.ts";
import { installOnce } from "./install-once.ts";
import { withProgress } from "./progress.ts";

/** The npm package that contains VS Code: its server and its workbench, without Electron. */
const packageName = "code-server";
const packageVersion = "4.139.1";

/** The release of VS Code inside that package. */
const npmVscodeVersion = "1.139.1";

/**
 * VS Code from npm, installed into the user's cache on first use.
 * @returns the path of its server script, which runs on Node 24.
 */
export async function npmVscode(): Promise<string> {
  const folder = cacheFolder(`vscode-npm-${npmVscodeVersion}`);
  await installOnce(folder, (staging) =>
    withProgress(`Installing VS Code ${npmVscodeVersion} from npm into ${folder} (600 MB)`, () => install(staging)),
  );
  return join(vscodeFolder(folder), "out", "server-main.js");
}

function vscodeFolder(folder: string): string {
  return join(folder, "node_modules", packageName, "lib", "vscode");
}

/** Install scripts are skipped: they would compile native modules that neither the tests nor a sample session need. */
async function install(staging: string): Promise<void> {
  const quietly = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await writeFile(join(staging, "package.json"), JSON.stringify({ private: true }));
  await runNpm(["install", ...quietly, `${packageName}@${packageVersion}`], { cwd: staging });
  await runNpm(["install", "--omit=dev", ...quietly], { cwd: vscodeFolder(staging) });
}
