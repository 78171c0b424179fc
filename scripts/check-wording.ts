import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";
import { bannedWordsIn, type WordingProblem } from "./words/banned-words.ts";
import { wideComments, wideProse } from "./words/line-width.ts";

/** Files with texts that are not ours, the list of banned words itself, and names that older versions stored. */
const notOurs = [
  /^LICENSE$/,
  /^package-lock\.json$/,
  /^test\/fixtures\//,
  /^scripts\/words\/banned-words\.ts$/,
  /^shared\/contract\/old-names\.ts$/,
];

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
});
const files = listed
  .split("\n")
  .filter((file) => /\.(ts|tsx|mjs|css|md|json|jsonc|yaml|yml)$/.test(file) && !notOurs.some((path) => path.test(file)))
  .filter((file) => existsSync(join(root, file)));

let found = 0;
for (const file of files) {
  for (const { line, problem } of problemsOf(file, readFileSync(join(root, file), "utf8"))) {
    found++;
    console.error(`${file}:${line} ${problem}`);
  }
}
process.exitCode = found === 0 ? 0 : 1;

function problemsOf(file: string, text: string): WordingProblem[] {
  const name = bannedWordsIn(file).map(({ problem }) => ({ line: 1, problem: `is named with ${problem}` }));
  const words = [...name, ...bannedWordsIn(text)];
  if (/\.(ts|tsx|mjs|css)$/.test(file)) return [...words, ...wideComments(text)];
  return file.endsWith(".md") ? [...words, ...wideProse(text)] : words;
}
