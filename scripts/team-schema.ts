import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "./root.ts";
import { teamFileSchema } from "./schema/team-file-schema.ts";

/** The JSON Schema for editors; `npm run check` compares it with the contract. */
const FILE = "media/team-file.schema.json";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
const text = `${JSON.stringify(teamFileSchema(), null, 2)}\n`;

if (!check) {
  await writeFile(join(root, FILE), text);
} else if ((await readFile(join(root, FILE), "utf8").catch(() => "")) !== text) {
  console.error(`${FILE} is out of date; run npm run docs.`);
  process.exitCode = 1;
}
