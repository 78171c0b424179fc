import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { parsePathPattern } from "./path-pattern.ts";
import { normalizePath, type PathPlaces } from "./path-places.ts";

describe("paths that a pattern matches", () => {
  const cases: Readonly<Record<string, { readonly yes: readonly string[]; readonly no: readonly string[] }>> = {
    "src/*.ts": { yes: ["src/a.ts"], no: ["src/a/b.ts", "SRC/a.ts", "/src/a.ts", "../src/a.ts", "x/src/a.ts"] },
    "././src": { yes: ["src"], no: ["./src", "x/src"] },
    "a././src": { yes: ["a././src"], no: ["a./src", "asrc"] },
    "**": { yes: ["a", "a/b", "..a", ".a", "a/~", "a/.."], no: ["..", "../a", "~", "~/a", "/a", "c:/a", "C:/a"] },
    "/tmp/**": { yes: ["/tmp/a"], no: ["tmp/a", "/TMP/a"] },
    "C:/x/*": { yes: ["C:/x/a"], no: ["x/a", "/C:/x/a"] },
    "{a,b}/[cd]": { yes: ["a/c", "b/d"], no: ["a/e", "c/c"] },
  };
  for (const [pattern, { yes, no }] of Object.entries(cases)) {
    it(pattern, () => {
      const { matches } = parsePathPattern(pattern);
      for (const path of yes) assert.equal(matches(path), true, path);
      for (const path of no) assert.equal(matches(path), false, path);
    });
  }
});

describe("paths that a deny rule's pattern might match", () => {
  const cases: Readonly<Record<string, { readonly yes: readonly string[]; readonly no: readonly string[] }>> = {
    ".env": {
      yes: [".env", ".ENV", "a/.env", "/a/.env", "../.env", "~/.env", "C:/.env", ".env/a"],
      no: [".envrc", "a.env"],
    },
    "Src/*": { yes: ["src/a", "SRC/a", "/w/src/a"], no: ["src", "src/a/b"] },
    Env: { yes: ["ENV", "env", "a/eNV"], no: ["envs"] },
    "/Etc/b": { yes: ["/etc/b", "/ETC/B"], no: ["/etc/a"] },
    "/etc/*": { yes: ["/etc/a", "/ETC/A"], no: ["/x/etc/a", "etc/a"] },
  };
  for (const [pattern, { yes, no }] of Object.entries(cases)) {
    it(pattern, () => {
      const { mightMatch } = parsePathPattern(pattern);
      for (const path of yes) assert.equal(mightMatch(path), true, path);
      for (const path of no) assert.equal(mightMatch(path), false, path);
    });
  }
});

test("an allow rule follows a link that the user named, but none within an open folder, which is the repository's", () => {
  const places: PathPlaces = {
    roots: [{ label: "app", path: "/w/app" }],
    realPath: (path) => path.replace(/^\/w\/app\/link|^\/opened/, "/elsewhere"),
  };
  assert.equal(parsePathPattern("/opened/**", places).matches("/elsewhere/a"), true);
  assert.equal(parsePathPattern("/w/app/link/**", places).matches("/elsewhere/a"), false);
  assert.equal(parsePathPattern("link/**", places).matches("/elsewhere/a"), false);
});

test("a malformed pattern is refused", () => {
  for (const [pattern, error] of Object.entries({
    "": /is empty/,
    "./": /is empty/,
    "a\0b": /NUL/,
    "./a\0": /NUL/,
    "[a": /unclosed \[/,
    "a]": /unclosed \[/,
    "{a": /unclosed \{/,
    "a}": /unclosed \{/,
  }))
    assert.throws(() => parsePathPattern(pattern), error, pattern);
});

test("a path is normalized, within a folder where it is relative", () => {
  const paths: Readonly<Record<string, string>> = {
    "a/./b//c/": "a/b/c",
    "a/../b": "b",
    "a/../../b": "../b",
    "../../a": "../../a",
    "/a/../../b": "/b",
    "a\\b\\..\\c": "a/c",
    "C:\\a\\..\\..\\b": "C:/b",
    "c:/../b": "c:/b",
    "": ".",
    ".": ".",
    "a/..": ".",
    "~/a/../b": "~/b",
    "~/../a": "~/../a",
    "~/../../a": "~/../../a",
    "a/~/..": "a",
  };
  for (const [path, normal] of Object.entries(paths)) assert.equal(normalizePath(path), normal, path);
  const inFolder: Readonly<Record<string, string>> = {
    a: "x/y/a",
    "../a": "x/a",
    "../../../a": "../a",
    "/a": "/a",
    "C:/a": "C:/a",
    "~/a": "~/a",
    "a~": "x/y/a~",
  };
  for (const [path, normal] of Object.entries(inFolder)) assert.equal(normalizePath(path, "x/y"), normal, path);
});
