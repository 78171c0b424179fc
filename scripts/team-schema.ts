import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./root.ts";
import { teamFileSchema } from "./schema/team-file-schema.ts";

/** What the package offers to editors, and npm run check compares with what the contract says now. */
const FILE = "media/team-file.schema.json";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
const text = `${JSON.stringify(teamFileSchema(), null, 2)}\n`;

if (!check) {
  await writeFile(join(root, FILE), text);
} else if ((await readFile(join(root, FILE), "utf8").catch(() => "")) !== text) {
  console.error(`${FILE} does not say what the contract says; run node scripts/team-schema.ts.`);
  process.exitCode = 1;
}
