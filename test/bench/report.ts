import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../scripts/root.ts";
import { headlines } from "./headlines.ts";
import { markdownTable, markdownTables, type Table } from "./rows/row.ts";

const BEGIN = "<!-- bench:begin -->";
const END = "<!-- bench:end -->";

/** Writes all tables into docs/BENCHMARKS.md and the main figures into README.md. @throws when a page has no markers. */
export async function writeReport(tables: readonly Table[]): Promise<void> {
  await writeBetweenMarks("docs/BENCHMARKS.md", markdownTables(tables));
  await writeBetweenMarks("README.md", markdownTable(headlines(tables)));
}

async function writeBetweenMarks(page: string, tables: string): Promise<void> {
  const path = join(root, page);
  const text = await readFile(path, "utf8").catch(() => "");
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${page} has no ${BEGIN} and ${END} for the tables to go between.`);
  await writeFile(path, `${text.slice(0, begin + BEGIN.length)}\n${tables}\n${text.slice(end)}`);
}
