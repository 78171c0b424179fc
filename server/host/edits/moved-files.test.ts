import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { editedProject } from "./testing/edited-project.ts";

const ALL = { kind: "all" } as const;
const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;
const [START, EDITED] = [lines("a", "b", "c", "d", "e"), lines("a", "B", "c", "d", "E", "F")];

async function projectWithMoves(t: TestContext, files: Readonly<Record<string, string>>) {
  const team = await editedProject(t, files);
  const shown = async (): Promise<readonly string[]> => {
    const { files: changed, commands } = await team.changes();
    return [
      ...changed.map(({ path, change, added, removed, mixed }) =>
        [path, change, `+${added} -${removed}`, ...(mixed ? ["mixed"] : [])].join(" "),
      ),
      ...commands.map(({ path, change, from }) => `command: ${path} ${from === undefined ? change : `from ${from}`}`),
    ];
  };
  const move = (from: string, to: string) =>
    team.command(`mv ${from} ${to}`, () => renameSync(team.path(from), team.path(to)));
  return { ...team, shown, move };
}

describe("a file that a command moved", () => {
  it("takes the team's edits with it: by hunk, file and turn they are kept and undone at its new path", async (t) => {
    const team = await projectWithMoves(t, { a: START, b: START });
    await team.write("1", "a", lines("a", "B", "c", "d", "e"));
    await team.write("2", "a", EDITED);
    await team.move("a", "moved");
    assert.deepEqual(await team.shown(), ["moved changed +3 -2", "command: moved from a"]);
    team.others("moved", lines("mine", "a", "B", "c", "d", "E", "F"));
    await team.write("3", "moved", lines("mine", "a", "B", "c", "d", "E", "F", "G"));
    const { base, hunks, written } = await team.file("moved");
    assert.equal(base, lines("mine", "a", "b", "c", "d", "e"));
    assert.deepEqual(
      written.map(({ line, ref }) => [line, ref]),
      [
        [2, "1-a"],
        [5, "2-a"],
        [7, "3-moved"],
      ],
    );
    const done = await team.undoChanges({ kind: "files", files: [{ path: "moved", hunks: [hunks[0]?.id ?? ""] }] });
    assert.deepEqual(done.restored, ["moved"]);
    assert.equal(team.read("moved"), lines("mine", "a", "b", "c", "d", "E", "F", "G"));
    assert.deepEqual((await team.undo("3")).restored, ["moved"]);
    assert.deepEqual((await team.undo("2")).restored, ["moved"]);
    assert.deepEqual([team.read("moved"), team.read("a")], [lines("mine", "a", "b", "c", "d", "e"), null]);
    assert.deepEqual(await team.shown(), ["command: moved from a"]);
  });

  it("keeps what is kept of it, and a checkpoint restores its content where it is", async (t) => {
    const team = await projectWithMoves(t, { a: START });
    await team.write("1", "a", lines("a", "B", "c", "d", "e"), "ann", 5);
    await team.write("2", "a", EDITED, "ann", 15);
    const [first] = (await team.file("a")).hunks;
    await team.keep([{ path: "a", hunks: [first?.id ?? ""] }]);
    mkdirSync(team.path("lib"));
    await team.move("a", "lib/a");
    assert.deepEqual(await team.shown(), ["lib/a changed +2 -1", "command: lib/a from a"]);
    const done = await team.undoChanges({ kind: "after", seq: 10 });
    assert.deepEqual([done.restored, team.read("lib/a")], [["lib/a"], lines("a", "B", "c", "d", "e")]);
    await team.undo(done.undoId ?? "");
    assert.deepEqual([team.read("lib/a"), team.read("a")], [EDITED, null]);
    await team.keep();
    assert.deepEqual(await team.shown(), []);
  });

  it("that the team made is deleted where it is now by an undo; a new file at its old path is another", async (t) => {
    const team = await projectWithMoves(t, {});
    await team.write("1", "a", START);
    await team.move("a", "b");
    await team.write("2", "a", "other\n");
    assert.deepEqual(await team.shown(), ["a created +1 -0", "b created +5 -0", "command: b from a"]);
    assert.deepEqual((await team.undo("1")).restored, ["b"]);
    assert.deepEqual([team.read("a"), team.read("b")], ["other\n", null]);
  });

  it("and is moved on or back is listed once, with where it was first", async (t) => {
    const team = await projectWithMoves(t, { a: START });
    await team.move("a", "b");
    await team.move("b", "c");
    assert.deepEqual(await team.shown(), ["command: c from a"]);
    await team.move("c", "a");
    assert.deepEqual(await team.shown(), []);
    await team.command("make", () => team.others("made", "x"));
    await team.move("made", "made2");
    assert.deepEqual(await team.shown(), ["command: made2 created"]);
  });

  it("to the path of a file that is gone has nothing of that one's edits, so no undo deletes it", async (t) => {
    const team = await projectWithMoves(t, { a: START });
    await team.write("1", "b", EDITED);
    team.others("b", null);
    await team.move("a", "b");
    assert.deepEqual(await team.shown(), ["command: b from a"]);
    await team.undoChanges(ALL, { overwrite: true });
    assert.equal(team.read("b"), START);
  });

  it("with its folder is followed too, however many there are, and by upper and lower case alone", async (t) => {
    const team = await projectWithMoves(t, { "Read.me": START });
    mkdirSync(team.path("src"));
    for (let at = 0; at < 300; at++) team.others(`src/${at}`, START);
    await team.write("1", "src/299", EDITED);
    await team.write("1", "Read.me", EDITED);
    await team.move("src", "lib");
    await team.move("Read.me", "read.me");
    const { files } = await team.changes();
    assert.deepEqual(
      files.map(({ path, added }) => `${path} +${added}`),
      ["lib/299 +3", "read.me +3"],
    );
    assert.deepEqual((await team.undoChanges(ALL)).restored, ["lib/299", "read.me"]);
  });

  it("shows what has changed in it since, also where the team never edited it", async (t) => {
    const team = await projectWithMoves(t, { a: START, bin: "\0\u0001" });
    await team.move("a", "b");
    await team.move("bin", "bin2");
    team.others("b", EDITED);
    const { base, now, hunks } = await team.file("b");
    assert.deepEqual([base, now, hunks.length], [START, EDITED, 0]);
    await team.move("b", "c");
    assert.equal((await team.file("c")).base, START, "the content is that from before the first move");
    assert.equal((await team.file("bin2")).base, null, "no text");
    rmSync(team.path("c"));
    assert.equal((await team.file("c")).now, null);
  });
});

describe("a file that the user moved", () => {
  it("takes the team's edits with it, by itself and with its folder, and what a command did too", async (t) => {
    const team = await projectWithMoves(t, { a: START, b: START });
    await team.write("1", "a", EDITED);
    await team.command("make", () => {
      mkdirSync(team.path("src"));
      team.others("src/made", "x");
    });
    await team.write("2", "src/own", START);
    assert.equal(await team.userMoves(["a", "src/moved"], ["src", "lib"]), 3);
    assert.deepEqual(await team.shown(), [
      "lib/moved changed +3 -2",
      "lib/own created +5 -0",
      "command: lib/made created",
    ]);
    const [first] = (await team.file("lib/moved")).hunks;
    await team.keep([{ path: "lib/moved", hunks: [first?.id ?? ""] }]);
    assert.deepEqual((await team.undo("2")).restored, ["lib/own"]);
    await team.userMoves(["lib/moved", "last"]);
    assert.deepEqual((await team.undoChanges(ALL)).restored, ["last"]);
    assert.deepEqual([team.read("last"), team.read("a")], [lines("a", "B", "c", "d", "e"), null]);
  });

  it("and that a command had moved is listed with where it was first, and no longer once it is back there", async (t) => {
    const team = await projectWithMoves(t, { a: START });
    await team.move("a", "b");
    await team.userMoves(["b", "c"]);
    assert.deepEqual(await team.shown(), ["command: c from a"]);
    await team.userMoves(["c", "a"]);
    assert.deepEqual(await team.shown(), []);
  });

  it("over another one has its own edits, and none of that one's", async (t) => {
    const team = await projectWithMoves(t, { a: START, b: START });
    await team.write("1", "a", EDITED);
    await team.write("2", "b", lines("x"));
    await team.userMoves(["a", "b"]);
    assert.deepEqual(await team.shown(), ["b changed +3 -2"]);
    await team.undoChanges(ALL);
    assert.equal(team.read("b"), START);
  });

  it("is left as it is where what is said is not so: a copy, a file that is not there, one outside", async (t) => {
    const team = await projectWithMoves(t, { a: START });
    await team.write("1", "a", EDITED);
    team.others("copy", EDITED);
    assert.equal(await team.saysMoved("a", "copy"), 0);
    assert.equal(await team.saysMoved("a", "nowhere"), 0);
    assert.equal(await team.saysMoved("a", "../outside"), 0);
    assert.equal(await team.saysMoved("../outside", "a"), 0);
    assert.deepEqual(await team.shown(), ["a changed +3 -2"]);
  });
});
