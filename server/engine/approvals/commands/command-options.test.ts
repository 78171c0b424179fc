import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import type { ProgramOptions, WordTable } from "../option-tables/program-options.ts";
import { TABLES } from "../option-tables/tables.ts";
import { parseShell } from "../shell/shell-parser.ts";
import { wordsToName } from "./command-options.ts";
import { matchesWords, parseCommandPattern } from "./command-pattern.ts";

const wordsOf = (command: string) => parseShell(command).commands.at(-1)?.words ?? [];

/** What a rule has to name, each with the place of its word; `?` for what no rule can name. */
const named = (command: string): string =>
  [...wordsToName(wordsOf(command))].map(([place, text]) => `${place} ${text ?? "?"}`).join(", ");

describe("what a rule has to name", () => {
  const commands: Readonly<Record<string, string>> = {
    "git log": "",
    "git log --output=x": "2 --output",
    "git log --outp x": "2 --outp",
    "X=1 Y+=2 git log --output x": "0 X=, 1 Y+=, 4 --output",
    "git -ccore.pager=x log": "1 -c",
    "git $X": "1 ?",
    "git log -- $X": "",
    "git log src/*": "",
    "sort -ro x": "1 -ro",
    "sort -k2o x": "",
    "sort -t o -k o": "",
    "npx -y eslint -c x": "2 eslint, 3 -c",
    "python -m pytest -p x": "1 -m, 3 -p",
    python: "-1 ?",
    "python --version": "",
    "make A=b C:=d": "1 A=, 2 C:=d",
    "/usr/bin/GIT.exe log --output": "2 --output",
    "python3.12 -c x": "1 -c",
    "gsed -i x": "1 -i",
    "arm-none-eabi-gcc-14 -fplugin=x": "1 -fplugin",
    "ssh host git log --output=x": "1 host, 4 --output",
    "ssh host ls 'a;b' $X": "1 host, 3 a;b, 4 ?",
    "ssh host -oProxyCommand=x ls": "1 host, 2 -o",
    "watch -n 2 ls 'a;b'": "3 ls, 4 a;b",
    "other --output=x $X -c": "",
  };
  for (const [command, expected] of Object.entries(commands)) it(command, () => assert.equal(named(command), expected));
});

const listOf = (text = ""): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

/** Every way to write what a table lists, after the words before it. */
function* writings(prefix: string, table: WordTable, { style, ownOperands, runs }: ProgramOptions): Generator<string> {
  for (const listed of [...listOf(table.options), ...listOf(table.before)]) {
    const option = listed.replace("*", "x");
    for (const text of [option, `${option} evil`, `${option}=evil`, `'${option}'`]) yield `${prefix} ${text}`;
    const isAnywhere = ownOperands === undefined && !runs && !listOf(table.before).includes(listed);
    if (isAnywhere && table.subcommands !== "*") yield `${prefix} operand ${option} evil`;
    if (style === "names") continue;
    if (/^-[A-Za-z]$/.test(option)) yield `${prefix} ${option}evil`;
    if (option.length > 6 && !listed.includes("*")) yield `${prefix} ${option.slice(0, -1)} evil`;
  }
  for (const subcommand of listOf(table.subcommands)) if (subcommand !== "*") yield `${prefix} ${subcommand} evil`;
}

for (const [table, programs] of Object.entries(TABLES)) {
  test(`${table}: a star covers no way to write an option or a subcommand`, () => {
    const covered: string[] = [];
    for (const program of programs) {
      for (const name of listOf(program.names)) {
        const star = parseCommandPattern(`${name} *`);
        const within = Object.entries(program.within ?? {}).flatMap(([first, one]) => [
          ...writings(`${name} ${first}`, one, program),
        ]);
        for (const command of [...writings(name, program, program), ...within])
          if (matchesWords(star, wordsOf(command))) covered.push(command);
      }
    }
    assert.deepEqual(covered, []);
  });
}

test("each program is in one table", () => {
  const names = Object.values(TABLES).flatMap((programs) => programs.flatMap((program) => listOf(program.names)));
  assert.deepEqual(
    names.filter((name, at) => names.indexOf(name) !== at),
    [],
  );
});
