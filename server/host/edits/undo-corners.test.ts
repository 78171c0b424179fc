import assert from "node:assert/strict";
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { ScratchFolder } from "../store/testing/scratch-folder.ts";
import { editedProject } from "./testing/edited-project.ts";

const ALL = { kind: "all" } as const;
const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;
const [START, EDITED] = [lines("a", "b", "c"), lines("a", "B", "c")];

/** A project in which a team has edited `a` and `b`. */
async function project(t: TestContext, files: Readonly<Record<string, string>> = {}) {
  const team = await editedProject(t, { a: START, b: START, ...files });
  await team.write("1", "a", EDITED);
  await team.write("1", "b", EDITED);
  const shown = async () =>
    (await team.changes()).files.map(
      ({ path, change, added, removed, mixed }) => `${path} ${change} +${added} -${removed}${mixed ? " mixed" : ""}`,
    );
  const undoAll = async (overwrite = false) => {
    const { restored, left } = await team.undoChanges(ALL, { overwrite });
    return [restored, left.map(({ reason }) => reason)];
  };
  return { ...team, shown, undoAll };
}

describe("a changed file", () => {
  it("in whose place there is a folder is still listed, and left with the reason", async (t) => {
    const team = await project(t);
    team.others("a", null);
    mkdirSync(team.path("a"));
    assert.deepEqual(await team.shown(), ["a changed +1 -1 mixed", "b changed +1 -1"]);
    assert.deepEqual(await team.undoAll(), [["b"], ['"a" is a folder, not a file.']]);
    assert.deepEqual((await team.undoChanges(ALL, { overwrite: true })).restored, []);
    assert.ok(lstatSync(team.path("a")).isDirectory());
  });

  it("that is very large now is still listed, and left with the reason", async (t) => {
    const team = await project(t);
    const large = "0123456789abcdef\n".repeat(1_250_000);
    team.others("a", large);
    assert.deepEqual(await team.shown(), ["a changed +1 -1 mixed", "b changed +1 -1"]);
    assert.deepEqual(await team.undoAll(true), [["b"], ['"a" is larger than 4 MB; edit it with a command.']]);
    assert.equal(team.read("a")?.length, large.length);
    assert.deepEqual((await team.keep()).left, []);
    assert.deepEqual(await team.shown(), []);
  });

  it("in whose place there is a link is left, and where the link leads nothing changes", async (t) => {
    using outside = new ScratchFolder();
    const team = await project(t, { inside: "inside\n" });
    for (const [name, target] of [
      ["a", team.path("inside")],
      ["b", `${outside.path}/far`],
    ] as const) {
      team.others(name, null);
      symlinkSync(target, team.path(name));
    }
    const [restored, reasons] = await team.undoAll(true);
    assert.deepEqual([restored, reasons?.length], [[], 2]);
    assert.equal(reasons?.[0], '"a" is now a link to another file.');
    assert.match(reasons?.[1] ?? "", /"?b"? /);
    assert.equal(team.read("inside"), "inside\n");
    assert.equal(team.read("b"), null);
  });

  it("in a folder that is a link to another one now is left, and the files there are not touched", async (t) => {
    using outside = new ScratchFolder();
    const team = await project(t);
    mkdirSync(team.path("src"));
    await team.write("2", "src/x", EDITED);
    renameSync(team.path("src"), `${outside.path}/src`);
    symlinkSync(`${outside.path}/src`, team.path("src"));
    const [restored, reasons] = await team.undoAll(true);
    assert.deepEqual([restored, reasons?.length], [["a", "b"], 1]);
    assert.equal(readFileSync(`${outside.path}/src/x`, "utf8"), EDITED);
  });

  it("that is read-only is left with the reason, and restored once it can be written", async (t) => {
    const team = await project(t);
    chmodSync(team.path("a"), 0o444);
    assert.deepEqual(await team.shown(), ["a changed +1 -1", "b changed +1 -1"]);
    assert.deepEqual(await team.undoAll(), [["b"], ['"a" is read-only; make it writable to edit it.']]);
    chmodSync(team.path("a"), 0o644);
    assert.deepEqual(await team.undoAll(), [["a"], []]);
    assert.equal(team.read("a"), START);
  });

  it("whose folder is gone is left, and restored with its folder when that is asked for", async (t) => {
    const team = await project(t);
    mkdirSync(team.path("src"));
    team.others("src/x", START);
    await team.write("2", "src/x", EDITED);
    rmSync(team.path("src"), { recursive: true });
    assert.deepEqual(await team.undoAll(), [["a", "b"], ['"src/x" was deleted since.']]);
    assert.deepEqual(await team.undoAll(true), [["src/x"], []]);
    assert.equal(team.read("src/x"), START);
  });

  it("has each line's own break after an undo of a hunk, also without one at the end", async (t) => {
    const team = await editedProject(t, { mixed: "a\r\nb\nc\r\nd\ne\r\nlast" });
    await team.write("1", "mixed", "a\r\nB\nc\r\nd\nE\nLAST");
    const { hunks } = await team.file("mixed");
    assert.equal(hunks.length, 2);
    const undo = (at: number) =>
      team.undoChanges({ kind: "files", files: [{ path: "mixed", hunks: [hunks[at]?.id ?? ""] }] });
    assert.deepEqual((await undo(1)).left, []);
    assert.equal(team.read("mixed"), "a\r\nB\r\nc\r\nd\ne\r\nlast");
    assert.deepEqual((await undo(0)).left, []);
    assert.equal(team.read("mixed"), "a\r\nb\nc\r\nd\ne\r\nlast");
  });

  it("whose last line has no break keeps what the user adds below", async (t) => {
    const team = await editedProject(t, { a: "one\ntwo" });
    await team.write("1", "a", "ONE\ntwo");
    team.others("a", "ONE\ntwo\nmine");
    assert.deepEqual((await team.undoChanges(ALL)).restored, ["a"]);
    assert.equal(team.read("a"), "one\ntwo\nmine");
    await team.write("2", "a", "one\ntwo\nmine\nteam");
    team.others("a", "one\ntwo\nmine\nteam\n");
    const { restored, left } = await team.undoChanges(ALL);
    assert.deepEqual([restored.length + left.length, team.read("a")?.startsWith("one\ntwo\nmine")], [1, true]);
  });

  it("keeps a byte order mark that the user has added or removed since", async (t) => {
    const team = await editedProject(t, { a: START, b: `\ufeff${START}` });
    await team.write("1", "a", EDITED);
    await team.write("1", "b", EDITED);
    assert.equal(team.read("b"), `\ufeff${EDITED}`);
    team.others("a", `\ufeff${EDITED}`);
    team.others("b", EDITED);
    assert.deepEqual((await team.undoChanges(ALL)).restored, ["a", "b"]);
    assert.deepEqual([team.read("a"), team.read("b")], [`\ufeff${START}`, START]);
  });
});
