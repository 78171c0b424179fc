import assert from "node:assert/strict";
import { mkdirSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { describe, it } from "node:test";
import { GavelError } from "../../../shared/contract/errors.ts";
import { editedProject as project } from "./testing/edited-project.ts";

const refusal = (problem: RegExp) => (error: unknown) =>
  error instanceof GavelError && error.data.code === "InvalidParams" && problem.test(error.message);

describe("undoing a turn's edits", () => {
  it("restores every file that the turn changed, and deletes those that it created", async (t) => {
    const { write, undo, read } = await project(t, { a: "one\r\n" });
    await write("1", "a", "two\n");
    await write("1", "a", "three\n");
    await write("1", "src/b", "new\n");
    const done = await undo();
    assert.deepEqual([done.turnId, done.restored, done.left], ["1", ["a", "src/b"], []]);
    assert.deepEqual([read("a"), read("src/b")], ["one\r\n", null]);
  });

  it("goes back one turn each time, and reports when nothing is left", async (t) => {
    const { write, undo, read } = await project(t, { a: "0" });
    await write("1", "a", "1");
    await write("2", "a", "2");
    await undo();
    assert.equal(read("a"), "1");
    await undo();
    assert.equal(read("a"), "0");
    await assert.rejects(undo(), refusal(/there is no edit to undo/));
  });

  it("can itself be undone, repeatedly", async (t) => {
    const { write, undo, read, edits } = await project(t, { a: "old" });
    await write("1", "a", "new");
    await write("1", "b", "made");
    const first = await undo();
    const redo = await undo(first.undoId ?? "");
    assert.deepEqual([read("a"), read("b")], ["new", "made"]);
    assert.deepEqual(
      (await edits()).map(({ turnId, undoes, files }) => [
        turnId,
        undoes,
        files.map(({ change, undone }) => [change, undone]),
      ]),
      [
        [
          redo.undoId,
          first.undoId,
          [
            ["changed", false],
            ["created", false],
          ],
        ],
        [
          first.undoId,
          "1",
          [
            ["changed", true],
            ["deleted", true],
          ],
        ],
        [
          "1",
          undefined,
          [
            ["changed", false],
            ["created", false],
          ],
        ],
      ],
    );
    await undo();
    assert.deepEqual([read("a"), read("b")], ["old", null]);
  });

  it("skips and names a file that was changed since; it can be restored later", async (t) => {
    const { write, undo, read, path, edits } = await project(t, { a: "old", b: "old" });
    await write("1", "a", "new");
    await write("1", "b", "new");
    writeFileSync(path("a"), "new, and more by the user");
    const done = await undo();
    assert.deepEqual([done.restored, done.left], [["b"], [{ path: "a", reason: '"a" has changed since the turn.' }]]);
    assert.deepEqual([read("a"), read("b")], ["new, and more by the user", "old"]);
    assert.deepEqual(
      (await edits()).at(-1)?.files.map(({ undone }) => undone),
      [false, true],
    );
    writeFileSync(path("a"), "new");
    assert.deepEqual((await undo()).restored, ["a"]);
    assert.equal(read("a"), "old");
  });

  it("skips a file that the user changed during the turn", async (t) => {
    const { write, undo, read, path } = await project(t, { a: "old" });
    await write("1", "a", "first");
    writeFileSync(path("a"), "the user's");
    await write("1", "a", "second");
    assert.match((await undo()).left[0]?.reason ?? "", /also changed outside the turn while it ran/);
    assert.equal(read("a"), "second");
  });

  it("skips a file that the user deleted, and counts one as undone that the user restored", async (t) => {
    const { write, undo, read, path } = await project(t, { a: "old", b: "old" });
    await write("1", "a", "new");
    await write("1", "b", "new");
    unlinkSync(path("a"));
    writeFileSync(path("b"), "old");
    const done = await undo();
    assert.deepEqual([done.restored, done.left.map(({ path: name }) => name)], [["b"], ["a"]]);
    assert.deepEqual([read("a"), read("b")], [null, "old"]);
  });

  it("does not follow a link that replaced the file", async (t) => {
    const { write, undo, read, path } = await project(t, { other: "new" });
    await write("1", "src/a", "new");
    rmSync(path("src"), { recursive: true });
    mkdirSync(path("real"));
    writeFileSync(path("real/a"), "new");
    symlinkSync(path("real"), path("src"), "junction");
    const done = await undo();
    assert.match(done.left[0]?.reason ?? "", /"src\/a" is now a link to another file/);
    assert.deepEqual([done.undoId, read("real/a")], [null, "new"]);
  });

  it("keeps a file's mode", { skip: process.platform === "win32" }, async (t) => {
    const { write, undo, path } = await project(t);
    writeFileSync(path("run"), "old", { mode: 0o755 });
    await write("1", "run", "new");
    await undo();
    assert.equal(statSync(path("run")).mode & 0o777, 0o755);
  });

  it("is refused for an unknown turn, and a second time", async (t) => {
    const { write, undo } = await project(t, { a: "old" });
    await write("1", "a", "new");
    await assert.rejects(undo("9"), refusal(/no turn with this id can be undone/));
    await undo("1");
    await assert.rejects(undo("1"), refusal(/already undone/));
  });
});
