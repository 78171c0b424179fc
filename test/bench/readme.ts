import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/root.ts";

const BEGIN = "<!-- bench:begin -->";
const END = "<!-- bench:end -->";

/** Puts the tables between the README's marks. @throws when it has none. */
export async function writeToReadme(tables: string): Promise<void> {
  const path = join(root, "README.md");
  const text = await readFile(path, "utf8").catch(() => "");
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`README.md has no ${BEGIN} and ${END} for the tables to go between.`);
  await writeFile(path, `${text.slice(0, begin + BEGIN.length)}\n${tables}\n${text.slice(end)}`);
}
