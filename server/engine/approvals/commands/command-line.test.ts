import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CommandPart, flattenParts, parseCommandLine } from "./command-line.ts";

/** A part's words, what it only runs in brackets, and why it needs an exact rule (`!`) or no rule can allow it (`!!`). */
function shown({ words, inner, transparent, exactOnly, opaque }: CommandPart): string {
  const own = words.map(({ text }) => text).join(" ");
  const runs = inner.length === 0 ? "" : ` ${transparent ? "only" : "and"} (${inner.map(shown).join("; ")})`;
  return (
    own + runs + (exactOnly === undefined ? "" : ` ! ${exactOnly}`) + (opaque === undefined ? "" : ` !! ${opaque}`)
  );
}

const partsOf = (line: string, shell: "posix" | "cmd" = "posix") => parseCommandLine(line, shell).commands.map(shown);
const pathsOf = (line: string) =>
  parseCommandLine(line, "posix").paths.map(
    ({ use, path, opaque }) => `${use} ${path}${opaque ? ` !! ${opaque}` : ""}`,
  );

const AT_RUN_TIME = "its name is only known at run time";

describe("the parts of a command line", () => {
  const lines: Readonly<Record<string, readonly string[]>> = {
    "a b | c": ["a b", "c"],
    "$X b": [`$X b !! ${AT_RUN_TIME}`],
    "X=1 $X": [`X=1 $X !! ${AT_RUN_TIME}`],
    "time sudo a": ["time sudo a only (sudo a and (a))"],
    "X=1 time a": ["X=1 time a and (a)"],
    "env X=1 Y_2=2 sudo a": ["env X=1 Y_2=2 sudo a only (X=1 Y_2=2 sudo a and (a))"],
    "env X=1 time a": ["env X=1 time a only (X=1 time a and (a))"],
    "env X=1": ["env X=1 only (X=1)"],
    "a; >b": ["a"],
    "env aZ_9=1 _b=2 time a": ["env aZ_9=1 _b=2 time a only (aZ_9=1 _b=2 time a and (a))"],
    "env a=b.c -=1 a": ["env a=b.c -=1 a only (a=b.c -=1 a)"],
    "env 1X=1 time a": ["env 1X=1 time a only (1X=1 time a)"],
    "sh -c 'a; sudo b'": ["sh -c a; sudo b only (a; sudo b and (b))"],
    "sh -c 'a &> b'": ["sh -c a &> b only (a) ! `&>` has different meanings in different shells"],
    "sudo -u x a": ["sudo -u x a ! its options change what it runs"],
    "eval 'a b'": ["eval a b and (a b) !! `eval` runs text as commands"],
    "find . -exec a \\; -exec b \\;": ["find . -exec a ; -exec b ; and (a; b)"],
  };
  for (const [line, parts] of Object.entries(lines)) it(line, () => assert.deepEqual(partsOf(line), parts));

  it("are nested eight levels deep at most", () => {
    assert.equal(flattenParts(parseCommandLine(`${"time ".repeat(8)}a`, "posix").commands).length, 9);
    assert.equal(flattenParts(parseCommandLine(`${"time ".repeat(8)}a`, "posix").commands).at(-1)?.opaque, undefined);
    const deep = flattenParts(parseCommandLine(`${"time ".repeat(9)}a`, "posix").commands);
    assert.equal(deep.length, 9);
    assert.equal(deep.at(-1)?.opaque, "it is nested too deeply");
    const scripts = Array.from({ length: 4 }).reduce<string>((line) => `sh -c '${line.replaceAll("'", "'\\''")}'`, "a");
    const innermost = (wrappers: number) =>
      flattenParts(parseCommandLine("time ".repeat(wrappers) + scripts, "posix").commands).at(-1);
    assert.equal(innermost(4)?.opaque, undefined);
    assert.equal(innermost(5)?.opaque, "it is nested too deeply");
  });

  it("of a line of more than 20,000 characters are unknown", () => {
    const line = (characters: number) => parseCommandLine(`a ${"b".repeat(characters - 2)}`, "posix");
    assert.equal(line(20_000).opaque, undefined);
    assert.match(line(20_001).opaque ?? "", /more than 20000 characters/);
    assert.deepEqual(line(20_001).commands, []);
    assert.match(parseCommandLine("a &> b", "posix").opaque ?? "", /different meanings/);
  });
});

describe("the files of a command line", () => {
  const lines: Readonly<Record<string, readonly string[]>> = {
    "a <b >c": ["read b", "write c"],
    "sh -c 'a >b' >c": ["write c", "write b"],
    ">a": ["write a"],
    "a >$X": [`write $X !! ${AT_RUN_TIME}`],
    "a >'b\\c'": ["write b\\c !! its name contains a backslash"],
    ...Object.fromEntries(
      [
        "cd x",
        "chdir x",
        "pushd x",
        "popd",
        "source x",
        ". x",
        "eval x",
        "command cd x",
        "X=1 cd x",
        "sh -c 'cd x'",
        "find . -execdir a \\;",
        "find . -okdir a \\;",
      ].map((move) => [`${move}; a >b >/c`, ["write b !! the command changes the folder", "write /c"]]),
    ),
    "a cd; cdx >b": ["write b"],
  };
  for (const [line, paths] of Object.entries(lines)) it(line, () => assert.deepEqual(pathsOf(line), paths));
});

describe("a line for cmd.exe", () => {
  it("is one command of plain words, or opaque", () => {
    assert.deepEqual(partsOf("  a\tb  c:\\d.e-f_g@h+i/j ", "cmd"), ["a b c:\\d.e-f_g@h+i/j"]);
    assert.equal(parseCommandLine("a1\tb  c:\\d.e-f_g@h+i/j ü", "cmd").opaque, undefined);
    for (const char of "&|<>^%!\"'`$(){}[];,=*?~#\n\r\u00a0")
      assert.match(parseCommandLine(`a ${char}`, "cmd").opaque ?? "", /cmd\.exe interprets/, JSON.stringify(char));
  });

  it("that may run its arguments needs an exact rule", () => {
    for (const name of ["cmd", "CMD.EXE", "start", "powershell", "call", "Call"])
      assert.deepEqual(partsOf(`${name} a`, "cmd"), [`${name} a ! \`${name}\` runs other commands`]);
    assert.deepEqual(partsOf("a cmd", "cmd"), ["a cmd"]);
  });

  it("has no commands of its own in its words, and words that are not expanded", () => {
    const [part] = parseCommandLine("a b", "cmd").commands;
    assert.deepEqual(part?.words, [
      { text: "a", dynamic: false, quoted: false },
      { text: "b", dynamic: false, quoted: false },
    ]);
    assert.equal(part?.transparent, false);
    assert.equal(part?.assignments, 0);
    assert.deepEqual(partsOf("", "cmd"), [""]);
  });
});
