import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseShell } from "../shell/shell-parser.ts";
import { commandName } from "./command-name.ts";
import {
  looseWords,
  matchesWords,
  mightContain as mightContainWords,
  mightMatchWords,
  parseCommandPattern,
} from "./command-pattern.ts";

const wordsOf = (command: string) => parseShell(command).commands.at(-1)?.words ?? [];

const matches = (pattern: string, command: string): boolean =>
  matchesWords(parseCommandPattern(pattern), wordsOf(command));
const mightMatch = (pattern: string, command: string): boolean =>
  mightMatchWords(parseCommandPattern(pattern), wordsOf(command));
const mightContain = (pattern: string, text: string): boolean =>
  mightContainWords(parseCommandPattern(pattern), looseWords(text));

describe("a command pattern", () => {
  it("is split into words as a shell splits them, with stars outside quotes", () => {
    const { words, literal } = parseCommandPattern(`  a 'b *'\t"c \\" \\$ * \\x" d\\*\\  e*f** * 'g'"h"i  `);
    assert.deepEqual(words, [["a"], ["b *"], ['c " $ * \\x'], ["d* "], ["e", "f", ""], ["", ""], ["ghi"]]);
    assert.equal(literal, false);
    assert.deepEqual(parseCommandPattern('"a\\`b\\\\c"').words, [["a`b\\c"]]);
    assert.deepEqual(parseCommandPattern("a '' \"\""), { words: [["a"], [""], [""]], literal: true });
    assert.deepEqual(parseCommandPattern("a ***"), { words: [["a"], ["", ""]], literal: false });
  });

  it("is refused when a shell would read more than one simple command", () => {
    for (const [text, error] of Object.entries({
      "": /has no words/,
      " \t ": /has no words/,
      "a;b": /unquoted ";"/,
      "a&b": /unquoted "&"/,
      "a|b": /unquoted "\|"/,
      "a<b": /unquoted "<"/,
      "a>b": /unquoted ">"/,
      "(a": /unquoted "\("/,
      "a)": /unquoted "\)"/,
      "a $b": /unquoted "\$"/,
      "a `b`": /unquoted "`"/,
      'a "$b"': /unquoted """/,
      'a "`b`"': /unquoted """/,
      'a "b': /unquoted """/,
      "a 'b": /unquoted "'"/,
      "a\nb": /unquoted "\n"/,
      "a\\\nb": /unquoted "\\"/,
      "a \\": /unquoted "\\"/,
    }))
      assert.throws(() => parseCommandPattern(text), error, text);
  });
});

describe("words that an allow rule matches", () => {
  const cases: Readonly<Record<string, { readonly yes: readonly string[]; readonly no: readonly string[] }>> = {
    "a b": { yes: ["a b", "'a' b"], no: ["a", "a b c", "b", "A b", "a B", "/bin/a b", "a $X", "a b*", "a $b"] },
    "a *": { yes: ["a", "a b", "a b c", "a $X", "a *", "a ''"], no: ["b", "ab", "a.exe", "$X b"] },
    "a * c": { yes: ["a c", "a b c", "a c c", "a $X c"], no: ["a", "a b", "a c b", "a b $X"] },
    "a b*": { yes: ["a b", "a bc"], no: ["a", "a cb", "a c", "a bc d", "a b$X", "a b*"] },
    "a *b": { yes: ["a b", "a cb"], no: ["a bc", "a c", "a"] },
    "a b*c": { yes: ["a bc", "a bxc", "a bcc"], no: ["a b", "a c", "a xbc", "a bcx"] },
    "a bb*bb": { yes: ["a bbbb", "a bbxbb"], no: ["a bb", "a bbb"] },
    "a x*yy*yy*z": { yes: ["a xyyyyz", "a x1yy2yy3z"], no: ["a xyyz", "a xyyyz", "a yyyyz", "a xyyyy"] },
    "a *b*": { yes: ["a b", "a xbx"], no: ["a x", "a"] },
    "* b": { yes: ["a b", "b", "a c b"], no: ["a", "b a"] },
    "a '*'": { yes: ["a '*'"], no: ["a *", "a b"] },
    "a ''": { yes: ["a ''"], no: ["a", "a b", "a b c"] },
    "X=1 a": { yes: ["X=1 a"], no: ["a", "X=2 a"] },
  };
  for (const [pattern, { yes, no }] of Object.entries(cases)) {
    it(pattern, () => {
      for (const command of yes) assert.equal(matches(pattern, command), true, command);
      for (const command of no) assert.equal(matches(pattern, command), false, command);
    });
  }
});

describe("words that a deny rule might match", () => {
  const cases: Readonly<Record<string, { readonly yes: readonly string[]; readonly no: readonly string[] }>> = {
    "a b": {
      yes: [
        "a b",
        "a b c",
        "A b",
        "/x/a b",
        "a.exe b",
        "a.CMD b",
        "a.bat b",
        "a.com b",
        "a -x b",
        "a -x y b",
        "a -x -y b",
        "a $X",
        "$X",
        "a -x $X",
      ],
      no: [
        "a",
        "b",
        "a x b",
        "a B",
        "a -x",
        "a -x y z b",
        "ab",
        "a.x b",
        "a.exec b",
        "b a",
        "a bc",
        "a /x/b",
        "-x a b",
      ],
    },
    "a --f": { yes: ["a --f", "a x --f", "a x y --f z", "a -b --f"], no: ["a --g", "a f", "x --f"] },
    "a b --f c": { yes: ["a b --f c", "a b x --f c", "a b x --f -y c"], no: ["a b --f", "a b --f x c", "a x b --f c"] },
    "a * c": { yes: ["a c", "a b c", "a b d c", "a b c d", "a $X"], no: ["a", "a b", "b c"] },
    "A b": { yes: ["a b", "A b"], no: ["A B"] },
    "a*": { yes: ["a", "ab", "AB", "/x/ab"], no: ["ba", "x/b"] },
    "/x/a": { yes: ["/x/a", "/X/A"], no: ["a", "/y/a"] },
    "* c": { yes: ["a c", "c", "a b c"], no: ["a", "a cd"] },
  };
  for (const [pattern, { yes, no }] of Object.entries(cases)) {
    it(pattern, () => {
      for (const command of yes) assert.equal(mightMatch(pattern, command), true, command);
      for (const command of no) assert.equal(mightMatch(pattern, command), false, command);
    });
  }
});

it("a text that cannot be parsed might contain the words of a pattern in their order, whatever is between them", () => {
  for (const text of [
    "a b",
    "x; a y b",
    "A b",
    "/x/a b",
    "a.exe b",
    "'a' \"b\"",
    "a|b",
    "a=b",
    "a;b",
    "a&b",
    "a<b",
    "a>b",
    "a$b",
    "a \\b",
    "{a,b}",
    "$(a b)",
    "`a`b`",
    "^a b",
    "%a%b",
    "a\tb\n",
    "\\a b",
  ])
    assert.equal(mightContain("a b", text), true, text);
  for (const text of ["", "a", "b a", "ab", "a xb", "a B", "x y"]) assert.equal(mightContain("a b", text), false, text);
  assert.equal(mightContain("a a", "x a"), false);
  assert.equal(mightContain("a a", "a x a"), true);
  assert.equal(mightContain("a * b", "a b"), true);
  assert.equal(mightContain("* b", "a c"), false);
  assert.equal(mightContain("a b*", "a bc"), true);
});

it("a command's name is in lower case, without its folder and a program's extension", () => {
  const names = {
    "/x/Y": "y",
    "c:\\x\\Y.EXE": "y",
    "a.cmd": "a",
    "a.bat": "a",
    "a.com": "a",
    "a.exe.x": "a.exe.x",
    "x/": "",
    "": "",
  };
  for (const [text, name] of Object.entries(names)) assert.equal(commandName(text), name, text);
});
