import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { GeneratedPage } from "./docs/generated-page.ts";
import { protocolPage } from "./docs/protocol-page.ts";
import { teamFilesPage } from "./docs/team-files-page.ts";
import { root } from "./root.ts";

/** Every page of the documentation with parts that are generated from the sources. */
const PAGES: readonly GeneratedPage[] = [protocolPage, teamFilesPage];

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;

for (const { path, render } of PAGES) {
  const file = join(root, path);
  const current = await readFile(file, "utf8").catch(() => "");
  try {
    const text = await render(current);
    if (!check) await writeFile(file, text);
    else if (text !== current) fail(`${path} is out of date; run npm run docs.`);
  } catch (error) {
    fail(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
