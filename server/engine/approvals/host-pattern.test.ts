import assert from "node:assert/strict";
import { test } from "node:test";
import { hostsIn, parseHostPattern } from "./host-pattern.ts";

test("a host pattern is a host name with stars, in any case, with or without a port", () => {
  const cases: Readonly<Record<string, { readonly yes: readonly string[]; readonly no: readonly string[] }>> = {
    "*.example.com": { yes: ["a.example.com", "a.example.com:80"], no: ["example.com", "a.example.com.x", "b.c"] },
    "A.Example": { yes: ["a.example", "a.example:443"], no: ["b.example"] },
    "a:80": { yes: ["a:80"], no: ["a", "a:8080", "a:8"] },
    "a.b_-2": { yes: ["a.b_-2"], no: ["a.b_-3"] },
    "a_b-1.ü": { yes: ["a_b-1.ü"], no: ["a_b-1.u"] },
    "a.*": { yes: ["a.b", "a.b:1"], no: ["a", "b.a"] },
    "[::1]": { yes: ["[::1]", "[::1]:80"], no: [":", "1", "[::2]"] },
    "[::1]:80": { yes: ["[::1]:80"], no: ["[::1]"] },
    "[FE80::1]": { yes: ["[fe80::1]"], no: ["f"] },
  };
  for (const [pattern, { yes, no }] of Object.entries(cases)) {
    for (const host of yes) assert.equal(parseHostPattern(pattern).matches(host), true, `${pattern} ${host}`);
    for (const host of no) assert.equal(parseHostPattern(pattern).matches(host), false, `${pattern} ${host}`);
  }
});

test("anything else is refused", () => {
  for (const text of [
    "",
    "https://a",
    "a/b",
    "a b",
    ".a",
    "a.",
    "a..b",
    "a:",
    "a:b",
    "a:80:80",
    "x@a",
    "[a",
    "[x]",
    "[::1",
    "::1",
    "a?b",
    "a\nb",
    "{a,b}",
  ])
    assert.throws(() => parseHostPattern(text), /is not a host name/, text);
});

test("the hosts of URLs are found in texts; an ambiguous URL has none", () => {
  const urls = (...texts: readonly string[]) => hostsIn(texts).urls;
  assert.deepEqual(urls("see https://A.example/x, HTTP://b:80?c and git+ssh://c.d#e"), ["a.example", "b:80", "c.d"]);
  assert.deepEqual(urls("a+b.c-1://a_b-2.c see<http://a"), ["a_b-2.c", "a"]);
  assert.deepEqual(urls("x https://a.", "'ftp://b'", '"ws://c"', "<s3://d>", "`h2://e`"), ["a", "b", "c", "d", "e"]);
  assert.deepEqual(urls("http://[::1]:80/x http://[FE80::a]/"), ["[::1]:80", "[fe80::a]"]);
  assert.deepEqual(urls("a.example", "// comment", "mailto:x@y", "a//b", "https: x"), []);
  for (const url of [
    "http://u@a",
    "http://u:p@a",
    "http://a\\@b",
    "http://a/x\\y",
    "http://a/@b",
    "http://\u0430",
    "http://a%2eb",
    "http://",
    "http://[x]/",
    "http://a:x/",
    "http://a:80:90/",
    "http://a,b",
    "//a",
    "///a",
    "\\\\a\\b",
    "/\\a",
    "see (//a)",
    "https:a",
    "https:/a",
    "HTTP:\\\\a",
    "file:a",
    "file:///a",
  ])
    assert.deepEqual(urls(url), [undefined], url);
});

test("a URL with a line break in it, and anything but a plain URL in a field for addresses, is ambiguous", () => {
  assert.ok(hostsIn(["ht\ntps://a"]).urls.includes(undefined));
  assert.ok(hostsIn(["https:/\t/a"]).urls.includes(undefined));
  assert.deepEqual(hostsIn(["a.example"], ["a.example"]).urls, [undefined]);
  assert.deepEqual(hostsIn(["https://a"], ["https://a"]), {
    urls: ["a"],
    addresses: ["a"],
    words: hostsIn(["https://a"]).words,
  });
});

test("every word of a text could be a host, also without a port or a dot at its end", () => {
  const { words } = hostsIn(["SSH me@A.example:22, b.c. [::1] x/y: a_b-c"]);
  for (const word of ["ssh", "me", "a.example:22", "a.example", "b.c.", "b.c", "[::1]", "x", "y:", "y", "a_b-c"])
    assert.ok(words.includes(word), word);
  assert.ok(!words.some((word) => word.includes("@")));
  assert.deepEqual(hostsIn([" ,; "]).words, []);
});
