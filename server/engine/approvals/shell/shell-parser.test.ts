import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseShell, type ShellCommand } from "./shell-parser.ts";
import type { ShellWord } from "./shell-word.ts";

/** A word in brackets, with `?` after one that is only known at run time and `'` after one that was quoted. */
const shown = ({ text, dynamic, quoted }: ShellWord): string => `[${text}]${dynamic ? "?" : ""}${quoted ? "'" : ""}`;

/** Assignments, a bar, the other words, and the redirections. */
function shownCommand({ words, assignments, redirects }: ShellCommand): string {
  const before = words.slice(0, assignments).map(shown);
  const after = words.slice(assignments).map(shown);
  const files = redirects.map(({ use, target }) => `${use} ${shown(target)}`);
  return [...before, ...(assignments > 0 ? ["|"] : []), ...after, ...files].join(" ");
}

function assertParsed(script: string, ...commands: readonly string[]): void {
  const parsed = parseShell(script);
  assert.deepEqual([parsed.opaque, parsed.commands.map(shownCommand)], [undefined, commands]);
}

/** An expansion in braces; written out, the linter would report a template string without backticks. */
const braced = (expansion: string): string => `\${${expansion}}`;

describe("the commands of a script", () => {
  const scripts: Readonly<Record<string, readonly string[]>> = {
    "a b\tc": ["[a] [b] [c]"],
    "a;>b": ["[a]", "write [b]"],
    "a;b&c|d\ne&&f||g": ["[a]", "[b]", "[c]", "[d]", "[e]", "[f]", "[g]"],
    "a # b; c\nd": ["[a]", "[d]"],
    "a\t# b": ["[a]"],
    "a#b c": ["[a#b] [c]"],
    "a # b \\\nc": ["[a]", "[c]"],
    "(a; b) && (c)": ["[a]", "[b]", "[c]"],
    "( (a); b )": ["[a]", "[b]"],
    "if a; then b; elif c; then d; else e; fi": ["[a]", "[b]", "[c]", "[d]", "[e]"],
    "while a; do b; done; until c; do d; done": ["[a]", "[b]", "[c]", "[d]"],
    "! a; { b; }": ["[a]", "[b]"],
    "a if; a then; a }": ["[a] [if]", "[a] [then]", "[a] [}]"],
    "X=1 if a": ["[X=1] | [if] [a]"],
    ">x if a": ["[if] [a] write [x]"],
    "'if' a": ["[if]' [a]"],
    "a for; a case": ["[a] [for]", "[a] [case]"],
    "'for' x": ["[for]' [x]"],
    "[ -f x ]": ["[[] [-f] [x] []]"],
    "'[' a": ["[[]' [a]"],
    "a\\\nb c\\\n d": ["[ab] [c] [d]"],
  };
  for (const [script, commands] of Object.entries(scripts)) {
    it(JSON.stringify(script), () => assertParsed(script, ...commands));
  }
});

describe("quotes and expansions", () => {
  const scripts: Readonly<Record<string, readonly string[]>> = {
    "'a b' \"c d\" e\\ f": ["[a b]' [c d]' [e f]'"],
    "'a\\'b": ["[a\\b]'"],
    "'' \"\" a": ["[]' []' [a]"],
    '"a\\"b\\$c\\`d\\\\e\\f"': ["[a\"b$c`d\\e\\f]'"],
    '"a\\\nb"': ["[ab]'"],
    "'a\\\nb'": ["[a\\\nb]'"],
    '"a;b|c&d#e(f)"': ["[a;b|c&d#e(f)]'"],
    '"it\'s"': ["[it's]'"],
    [`$a ${braced("b_1")} $1 $? $$ $@ $* $# $! $-`]: [
      `[$a]? [${braced("b_1")}]? [$1]? [$?]? [$$]? [$@]? [$*]? [$#]? [$!]? [$-]?`,
    ],
    '"$a" a$b $_': ["[$a]?' [a$b]? [$_]?"],
    [`${braced("Ab_9Z")} ${braced("_a")}`]: [`[${braced("Ab_9Z")}]? [${braced("_a")}]?`],
    'a$ $. $% "$" "$\'"': ["[a$]' [$.]' [$%]' [$]' [$']'"],
    "a $(b c) d": ["[b] [c]", "[a] [$(…)]? [d]"],
    'a "$(b "$(c)")"': ["[c]", "[b] [$(…)]?'", "[a] [$(…)]?'"],
    "a `b \\`c\\` \\$d \\\\e`": ["[c]", "[b] [`…`]? [$d]? [e]'", "[a] [`…`]?"],
    'a `b "c d"`': ["[b] [c d]'", "[a] [`…`]?"],
    'a "`b \\`c\\``"': ["[c]", "[b] [`…`]?", "[a] [`…`]?'"],
    "a <(b) >(c)": ["[b]", "[c]", "[a] [<(…)]? [<(…)]?"],
    "* a? [a] ~ ~a a=~ a:~ a~": ["[*]? [a?]? [[a]]? [~]? [~a]? [a=~]? [a:~]? [a~]"],
    "a={~ '*' \\* \"~\"": ["[a={~] | [*]' [*]' [~]'"],
    "{a,b} {1..3} {a} a,b {a','b}": ["[{a,b}]? [{1..3}]? [{a}] [a,b] [{a,b}]?'"],
  };
  for (const [script, commands] of Object.entries(scripts))
    it(JSON.stringify(script), () => assertParsed(script, ...commands));
});

describe("assignments", () => {
  const scripts: Readonly<Record<string, readonly string[]>> = {
    "X=1 Y+=2 a Z=3": ["[X=1] [Y+=2] | [a] [Z=3]"],
    "_x1='a b' a": ["[_x1=a b]' | [a]"],
    "A_b=1 a": ["[A_b=1] | [a]"],
    "X=$(b) a": ["[b]", "[X=$(…)]? | [a]"],
    "X=1": ["[X=1] |"],
    "'X'=1 a": ["[X=1]' [a]"],
    "X'='1 a": ["[X=1]' [a]"],
    "1X=1 a": ["[1X=1] [a]"],
    "a.X=1 a": ["[a.X=1] [a]"],
    "$X=1 a": ["[$X=1]? [a]"],
  };
  for (const [script, commands] of Object.entries(scripts))
    it(JSON.stringify(script), () => assertParsed(script, ...commands));
});

describe("redirections", () => {
  const scripts: Readonly<Record<string, readonly string[]>> = {
    "a <b >c >>d >|e <>f 2>g": ["[a] read [b] write [c] write [d] write [e] write [f] write [g]"],
    "a> b c": ["[a] [c] write [b]"],
    "a x2>b": ["[a] [x2] write [b]"],
    "a \\2>b": ["[a] [2]' write [b]"],
    "a 2>&1 >&2 <&0 >&- <&-": ["[a]"],
    "a >&b >&12 >&1x >&-x": ["[a] write [b] write [12] write [1x] write [-x]"],
    "a >1 >-": ["[a] write [1] write [-]"],
    "a <&b >&$x": ["[a] write [b] write [$x]?"],
    "a >/dev/null 2>/dev/stdout >/dev/stderr </dev/null": ["[a]"],
    "a >/dev/nul[l]": ["[a] write [/dev/nul[l]]?"],
    "a >/dev/nulls >/dev/tcp/x/1": ["[a] write [/dev/nulls] write [/dev/tcp/x/1]"],
    'a >"b c"': ["[a] write [b c]'"],
    "a >''": ["[a] write []'"],
    "a >$(b)": ["[b]", "[a] write [$(…)]?"],
    ">a": ["write [a]"],
    "(a) >b": ["[a]", "write [b]"],
    "a<b>c": ["[a] read [b] write [c]"],
  };
  for (const [script, commands] of Object.entries(scripts))
    it(JSON.stringify(script), () => assertParsed(script, ...commands));
});

describe("a script is opaque, with the commands before that point", () => {
  const scripts: Readonly<Record<string, readonly [opaque: RegExp, ...commands: string[]]>> = {
    "a; b 'c": [/quote is not closed/, "[a]", "[b]"],
    'a "b': [/quote is not closed/, "[a]"],
    "a `b": [/quote is not closed/, "[a]"],
    "a \\": [/quote is not closed/, "[a]"],
    'a "\\': [/quote is not closed/, "[a]"],
    [`a ${braced("b").slice(0, -1)}`]: [/quote is not closed/, "[a]"],
    "(a": [/not closed/, "[a]"],
    "a $(b": [/not closed/, "[b]", "[a]"],
    "a)": [/not opened/, "[a]"],
    "a (b)": [/parenthesis is inside/, "[a]"],
    "a()": [/parenthesis is inside/, "[a]"],
    "((a))": [/contains `\(\(`/],
    "(\\\n(a))": [/contains `\(\(`/],
    "a $((1))": [/contains `\$\(\(`/, "[a]"],
    "a &> b": [/`&>` has different meanings/, "[a]"],
    "a &\\\n> b": [/`&>` has different meanings/, "[a]"],
    "a;;b": [/contains `;;`/, "[a]"],
    "a 12>b": [/descriptor above 9/, "[a]"],
    "a <<E\nb\nE": [/here-document/, "[a]"],
    "a <<< b": [/here-document/, "[a]"],
    "a > ; b": [/no target/, "[a]"],
    "a >": [/no target/, "[a]"],
    "a $'b'": [/different meanings/, "[a]"],
    'a $"b"': [/different meanings/, "[a]"],
    "a $[1]": [/different meanings/, "[a]"],
    'a "$[1]"': [/different meanings/, "[a]"],
    [`a ${braced("b:-c")}`]: [/more than a name/, "[a]"],
    [`a ${braced("#b")}`]: [/more than a name/, "[a]"],
    [`a ${braced("b@P")}`]: [/more than a name/, "[a]"],
    [`a ${braced("1")}`]: [/more than a name/, "[a]"],
    'a "`b "c"`"': [/double quote in backticks/, "[a]"],
    'a "`b \\"c\\"`"': [/double quote in backticks/, "[a]"],
    "for x in a; do b; done": [/contains `for`/],
    "case x in y) a;; esac": [/contains `case`/],
    "select x in a; do b; done": [/contains `select`/],
    "function f { a; }": [/contains `function`/],
    "coproc a": [/contains `coproc`/],
    "[[ -f x ]]": [/contains `\[\[`/],
    "if [[ x ]]; then a; fi": [/contains `\[\[`/],
    "! esac": [/contains `esac`/],
    "a\u0000": [/invisible/],
    "a\u0007": [/invisible/],
    "a\rb": [/invisible/],
    "a\u00a0b": [/invisible/],
    "a\u2028b": [/invisible/],
    "a\u2029b": [/invisible/],
    "a\u200bb": [/invisible/],
    "a\ud800b": [/invisible/],
  };
  for (const [script, [opaque, ...commands]] of Object.entries(scripts)) {
    it(JSON.stringify(script), () => {
      const parsed = parseShell(script);
      assert.match(parsed.opaque ?? "", opaque);
      assert.deepEqual(parsed.commands.map(shownCommand), commands);
    });
  }

  it("when it is nested more than 24 levels deep, of whatever kind", () => {
    const nested = (levels: number, open: string, close: string) =>
      parseShell(`${open.repeat(levels)}a${close.repeat(levels)}`).opaque;
    for (const [open, close] of [
      ["( ", ")"],
      ["b $(", ")"],
      ["b <(", ")"],
    ] as const) {
      assert.equal(nested(24, open, close), undefined, open);
      assert.match(nested(25, open, close) ?? "", /nested too deeply/, open);
    }
    // Each level of backticks doubles the backslashes of the next; they count with the levels around them.
    assert.match(parseShell(`${"( ".repeat(24)}a \`b\`${")".repeat(24)}`).opaque ?? "", /nested too deeply/);
    assert.equal(parseShell(`${"( ".repeat(23)}a \`b\`${")".repeat(23)}`).opaque, undefined);
    assert.match(parseShell(`${"( ".repeat(23)}a \`(b)\`${")".repeat(23)}`).opaque ?? "", /nested too deeply/);
    assert.equal(parseShell("(a); ".repeat(100)).opaque, undefined, "one after another is not nested");
  });
});
