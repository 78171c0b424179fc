import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { downloadedVscode, vscodeOnPath } from "./editor/desktop-vscode.ts";
import { openDesktop } from "./editor/open-desktop.ts";
import { openInBrowser } from "./editor/open-in-browser.ts";
import type { OpenedEditor, ToOpen } from "./editor/opened-editor.ts";
import { root } from "./root.ts";
import { runNode } from "./run-process.ts";

const sample = join(root, "media", "samples", "workspace");

/** The ways to open VS Code; the first one that works is used. */
const ways: readonly (readonly [name: string, open: (what: ToOpen) => Promise<OpenedEditor>])[] = [
  ["the desktop VS Code on PATH", async (what) => openDesktop(await vscodeOnPath(), what)],
  ["test-electron's download of VS Code", async (what) => openDesktop(await downloadedVscode(), what)],
  ["VS Code from npm, in the browser", openInBrowser],
];

const [given] = process.argv.slice(2);
// npm runs this script in the project; a relative folder is relative to where the developer ran npm.
const folder = given === undefined ? sample : resolve(process.env["INIT_CWD"] ?? process.cwd(), given);

if (existsSync(folder)) await start({ folder, trusted: given === undefined });
else fail(`${folder} does not exist; give npm start -- FOLDER a folder that does.`);

async function start(what: ToOpen): Promise<void> {
  await runNode([join(root, "esbuild.mjs")], { output: "inherit" });
  const editor = await openFirst(what);
  if (editor === undefined) return fail("No VS Code could be opened; install it from its own site and try again.");
  console.log(`Opened ${what.folder}:\n\n  ${editor.where}\n`);
  // Tests set it: open the editor, then exit.
  if (process.env["GAVEL_START_ONCE"] !== "1") {
    console.log("Press Ctrl+C to stop.");
    await Promise.race([editor.closed, interrupted()]);
  }
  await editor.dispose();
  process.exit();
}

async function openFirst(what: ToOpen): Promise<OpenedEditor | undefined> {
  for (const [name, open] of ways) {
    try {
      const editor = await open(what);
      console.log(`Using ${name}.`);
      return editor;
    } catch (error) {
      console.log(`Cannot use ${name}: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }
  return undefined;
}

function interrupted(): Promise<unknown> {
  return Promise.race(
    (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => new Promise((done) => process.once(signal, done))),
  );
}

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}
