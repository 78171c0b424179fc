import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "./command-line.ts";
import { parseCommandPattern } from "./command-pattern.ts";
import { lineMightMatch, possibleCommands, possibleWords } from "./possible-commands.ts";

const lineOf = (line: string) => parseCommandLine(line, "posix");

/** Possible commands; `…` before those that may start at any of their words. */
const possible = (line: string) =>
  possibleCommands(lineOf(line)).map(
    ({ words, anywhere }) => `${anywhere ? "…" : ""}${words.map(({ text }) => text).join(" ")}`,
  );

test("a deny rule sees every word of a program that may run its arguments as the start of a command", () => {
  assert.deepEqual(possible("a b"), ["a b"]);
  assert.deepEqual(possible("X=1 a b"), ["a b", "X=1 a b"]);
  assert.deepEqual(possible("ssh a b"), ["…ssh a b"]);
  assert.deepEqual(possible("X=1 ssh a"), ["…ssh a", "X=1 ssh a"]);
  assert.deepEqual(possible("ssh a 'X=1 b c; d'"), ["…ssh a X=1 b c; d", "b c", "d"]);
  assert.deepEqual(possible("ssh a 'sudo b'"), ["…ssh a sudo b", "…sudo b"]);
  assert.deepEqual(possible("sudo a"), ["…sudo a", "a"]);
  assert.deepEqual(possible("X=1"), ["", "X=1"]);
  const scripts = {
    "a;b": "b",
    "a&b": "b",
    "a|b": "b",
    "a<b": "a",
    "a>b": "a",
    "(a": "a",
    "a)": "a",
    "`a`": "a",
    "a\nb": "b",
  };
  for (const [script, command] of Object.entries(scripts))
    assert.ok(possible(`ssh '${script}'`).includes(command), script);
  const expanded = possibleCommands(lineOf("ssh 'r$M'"));
  assert.ok(
    expanded.some(({ words: [word] }) => word?.dynamic),
    "a variable in an argument",
  );
});

test("a deny rule finds a command in a script in a script, and names it in any case and folder", () => {
  const matches = (pattern: string, line: string) => lineMightMatch(parseCommandPattern(pattern), lineOf(line));
  for (const line of [
    "ssh a 'sudo rm x'",
    "ssh a 'ssh b \"sudo /bin/RM x\"'",
    "stdbuf -o0 rm x",
    "su -c 'sudo -u x rm'",
  ])
    assert.equal(matches("rm", line), true, line);
  for (const line of ["ssh a 'sudo ls x'", "stdbuf -o0 ls x", "git rm"]) assert.equal(matches("rm", line), false, line);
  assert.equal(matches("rm", `true ${"x".repeat(20_000)}; rm y`), true);
  assert.equal(matches("rm", `true ${"x".repeat(20_000)}; ls y`), false);
});

test("each word is possible once, also where a line is too long to be parsed", () => {
  assert.deepEqual(possibleWords(lineOf("sudo sudo a b a")), ["sudo", "a", "b"]);
  assert.deepEqual(possibleWords(lineOf(`cat .env ${"x".repeat(20_000)}`)).slice(0, 2), ["cat", ".env"]);
});
