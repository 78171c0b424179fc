import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { callFacts } from "./call-facts.ts";
import { normalizePath } from "./paths/path-places.ts";

const facts = (input: unknown) => callFacts({ input }, { shell: "posix" });
/** Facts in a workspace whose paths resolve to those below `/real`. */
const resolvedFacts = (input: unknown) => {
  const realPath = (path: string) => `/real${normalizePath(path)}`;
  return callFacts({ input }, { shell: "posix", places: { roots: [{ label: "w", path: "/w" }], realPath } });
};
const pathsOf = (input: unknown) => facts(input).paths.map(({ use, path }) => `${use} ${path}`);

describe("the paths in an input", () => {
  it("are in fields with a path's name, in any case, one or several, at any depth", () => {
    const names =
      "path file folder dir directory uri filePath file_path oldPath new_path sourceFile targetDir dest_folder destinationUri " +
      "rootDirectory base_path outputFile input_dir fileName file_name filename cwd root source destination dest target from to " +
      "PATH paths files fileNames";
    for (const name of names.split(" ")) assert.deepEqual(pathsOf({ [name]: "a" }), ["read a"], name);
    for (const name of ["text", "pathology", "mypath", "tow", "a_to", "profile", "command2", "from_x", "names"])
      assert.deepEqual(pathsOf({ [name]: "a" }), [], name);
    assert.deepEqual(pathsOf({ paths: ["a", { x: ["b"] }], edits: [{ path: "c" }], file: { path: "d", x: "e" } }), [
      "read a",
      "read b",
      "read c",
      "read d",
    ]);
    assert.deepEqual(pathsOf([{ path: "a" }]), ["read a"]);
    for (const input of [undefined, null, "a", 1, { path: 1 }, { path: null }]) assert.deepEqual(pathsOf(input), []);
  });

  it("are normalized, without the scheme of a file URI", () => {
    assert.deepEqual(pathsOf({ path: "./a/../b" }), ["read b"]);
    assert.deepEqual(pathsOf({ uri: "file:///w/a%20b" }), ["read /w/a b"]);
    assert.deepEqual(pathsOf({ uri: "FILE:///w/a" }), ["read /w/a"]);
    assert.deepEqual(pathsOf({ uri: "file:///C:/a" }), ["read C:/a"]);
    assert.deepEqual(pathsOf({ uri: "file:///c:/a" }), ["read c:/a"]);
    assert.deepEqual(pathsOf({ uri: "file:///a/C:/b" }), ["read /a/C:/b"]);
    assert.deepEqual(pathsOf({ uri: "https://x/a" }), []);
    assert.deepEqual(pathsOf({ uri: "x/file:///a" }), ["read x/file:/a"]);
    assert.deepEqual(pathsOf({ uri: "file:///%zz" }), ["read file:/%zz"]);
  });

  it("of a command are its redirections and the folder that it runs in, each as it resolves", () => {
    assert.deepEqual(pathsOf({ command: "a <b >../c", timeoutSeconds: 1 }), ["read b", "write ../c"]);
    assert.deepEqual(pathsOf({ command: "a <b >../c >/d", cwd: "x/./y" }), [
      "read x/y/b",
      "write x/c",
      "write /d",
      "folder x/y",
    ]);
    assert.deepEqual(pathsOf({ command: "a <b", cwd: "." }), ["read b"]);
    assert.deepEqual(pathsOf({ command: "a <." }), ["read ."], "only a folder to run in needs no rule");
    const resolved = resolvedFacts({ command: "a >b", cwd: "x" });
    assert.deepEqual(
      resolved.paths.map(({ path }) => path),
      ["/real/real/w/x/b", "/real/w/x"],
    );
  });
});

it("an input is a command only with the fields of runCommand", () => {
  assert.equal(facts({ command: "a" }).isCommand, true);
  assert.equal(facts({ command: "a", cwd: "b", timeoutSeconds: 1 }).isCommand, true);
  for (const input of [{ command: "a", env: {} }, { command: 1 }, { cwd: "a" }, {}, null, "a", ["a"]])
    assert.equal(facts(input).isCommand, false, JSON.stringify(input));
  assert.equal(facts({ command: "a", env: {} }).line?.text, "a");
  assert.equal("line" in facts({}), false);
});

it("every word of a command could be a path, and so could a part of one, as it resolves", () => {
  const pathsIn = (input: unknown) =>
    facts(input)
      .words()
      ?.map(({ path }) => path) ?? [];
  const words = pathsIn({ command: "a b --c=d -fe -Fi X=g sudo h @j HEAD:k l,m 'n o'", cwd: "x" });
  for (const word of "b d e i --c=d g h -fe j k l m n o".split(" ")) assert.ok(words.includes(`x/${word}`), word);
  assert.ok(!words.includes("b"));
  const plain = pathsIn({ command: "a x-fb b" });
  assert.ok(plain.includes("b") && !plain.includes("x"));
  assert.deepEqual(pathsIn({ path: "a" }), []);
  const linked = resolvedFacts({ command: "a b", cwd: "x" }).words();
  assert.ok(linked?.some(({ path }) => path === "/real/real/w/x/b"));
  assert.equal(
    facts({ command: `a ${Array.from({ length: 500 }, (_, at) => `w${at}`).join(" ")}` }).words(),
    undefined,
  );
});
