import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, it } from "node:test";
import { editedProject } from "./testing/edited-project.ts";

const ALL = { kind: "all" } as const;
const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;
const [START, EDITED] = [lines("a", "b", "c", "d", "e"), lines("a", "B", "c", "d", "E", "F")];

type Project = Awaited<ReturnType<typeof editedProject>>;

const counts = async ({ changes }: Project): Promise<readonly string[]> =>
  (await changes()).files.map(
    ({ path, change, added, removed, mixed }) => `${path} ${change} +${added} -${removed}${mixed ? " mixed" : ""}`,
  );

describe("the changes of a team", () => {
  it("are its files over all turns, with who changed them and the lines that differ", async (t) => {
    const team = await editedProject(t, { a: START, c: START });
    await team.write("1", "a", lines("a", "B", "c", "d", "e"));
    await team.write("2", "a", EDITED, "bob");
    await team.write("2", "b", lines("new"), "bob");
    await team.write("1", "c", EDITED);
    await team.write("2", "c", START);
    assert.deepEqual(await counts(team), ["a changed +3 -2", "b created +1 -0"]);
    const [a] = (await team.changes()).files;
    assert.deepEqual(
      [a?.participants, a?.refs, a?.turns],
      [
        ["ann", "bob"],
        ["1-a", "2-a"],
        ["1", "2"],
      ],
    );
    const { base, now, hunks, written } = await team.file("a");
    assert.deepEqual([base, now], [START, EDITED]);
    assert.deepEqual(
      hunks.map((hunk) => [hunk.line, hunk.lines, hunk.baseLine, hunk.baseLines, hunk.participants]),
      [
        [1, 1, 1, 1, ["ann"]],
        [4, 2, 4, 1, ["bob"]],
      ],
    );
    assert.deepEqual(
      written.map(({ line, lines: count, participant, ref }) => [line, count, participant, ref]),
      [
        [1, 1, "ann", "1-a"],
        [4, 2, "bob", "2-a"],
      ],
    );
  });

  it("are undone in the encoding of what was before, though others have made the file a binary one since", async (t) => {
    const team = await editedProject(t, { a: "漢字\n" });
    await team.write("1", "a", "kanji\n");
    team.others("a", "\0\u0001binary");
    assert.deepEqual((await team.undoChanges(ALL)).restored, []);
    assert.deepEqual((await team.undoChanges(ALL, { overwrite: true })).restored, ["a"]);
    assert.equal(team.read("a"), "漢字\n");
  });

  it("of a file of very many lines are listed, kept by hunk and undone", async (t) => {
    const body = Array.from({ length: 300_000 }, (_, at) => `${at}\n`).join("");
    const text = (first: string, ...last: readonly string[]): string => lines(first) + body + lines(...last);
    const team = await editedProject(t, { a: text("a", "z"), b: lines("b") });
    await team.write("1", "a", text("A", "Z"));
    await team.write("1", "b", lines("B"));
    assert.deepEqual(await counts(team), ["a changed +2 -2", "b changed +1 -1"]);
    team.others("a", text("A", "mine", "Z"));
    const [first] = (await team.file("a")).hunks;
    await team.keep([{ path: "a", hunks: [first?.id ?? ""] }]);
    assert.deepEqual((await team.undoChanges(ALL)).restored, ["a", "b"]);
    assert.equal(team.read("a"), text("A", "mine", "z"));
    await team.write("2", "a", text("A2", "mine", "z"));
    team.others("a", text("A2", "mine", "z", "more"));
    assert.deepEqual((await team.undo("2")).restored, ["a"]);
    assert.equal(team.read("a"), text("A", "mine", "z", "more"));
  });

  it("have the names of the team's own edits after an undo too, so that each file is the one that is meant", async (t) => {
    const team = await editedProject(t, { a: START });
    const inner = basename(team.path("."));
    mkdirSync(team.path(inner));
    writeFileSync(team.path(`${inner}/a`), START);
    await team.write("1", "a", EDITED);
    await team.write("1", `${inner}/a`, EDITED);
    const [hunk] = (await team.file("a")).hunks;
    await team.undoChanges({ kind: "files", files: [{ path: "a", hunks: [hunk?.id ?? ""] }] });
    assert.deepEqual(await counts(team), ["a changed +2 -1", `${inner}/a changed +3 -2`]);
    await team.undoChanges({ kind: "files", files: [{ path: `${inner}/a` }] });
    assert.equal(team.read("a"), lines("a", "b", "c", "d", "E", "F"));
    assert.equal(team.read(`${inner}/a`), START);
    assert.deepEqual(
      (await team.edits()).flatMap(({ files }) => files.map(({ path }) => path)),
      [`${inner}/a`, "a", "a", `${inner}/a`],
    );
  });

  it("leave out what the user changes before, between and after the team's edits", async (t) => {
    const team = await editedProject(t, { a: START });
    await team.write("1", "a", lines("a", "B", "c", "d", "e"));
    team.others("a", lines("mine", "a", "B", "c", "d", "e"));
    await team.write("2", "a", lines("mine", "a", "B", "c", "d", "E"));
    team.others("a", lines("mine", "a", "B", "c", "d", "mine too", "E"));
    assert.deepEqual(await counts(team), ["a changed +2 -2"]);
    assert.equal((await team.file("a")).base, lines("mine", "a", "b", "c", "d", "mine too", "e"));
    assert.deepEqual((await team.undoChanges(ALL)).left, []);
    assert.equal(team.read("a"), lines("mine", "a", "b", "c", "d", "mine too", "e"));
    assert.deepEqual(await counts(team), []);
  });

  it("are told by turn, the last first, with the lines that each wrote or removed, and are kept and undone by turn", async (t) => {
    const team = await editedProject(t, { a: START, b: START, c: START });
    const turns = async () =>
      (await team.changes()).turns.map(({ turnId, participant, refs, files }) => [
        `${turnId} by ${participant} with ${refs.join(", ")}`,
        ...files.map(({ path, added, removed }) => `${path} +${added} -${removed}`),
      ]);
    await team.write("1", "a", lines("a", "B", "c", "d", "e"));
    await team.write("2", "b", lines("a", "b", "c", "d"), "bob");
    await team.write("1", "c", lines("new", "a", "b", "c", "d", "e"));
    await team.write("2", "a", EDITED, "bob");
    assert.deepEqual(await turns(), [
      ["2 by bob with 2-a, 2-b", "a +2 -1", "b +0 -1"],
      ["1 by ann with 1-a, 1-c", "a +1 -1", "c +1 -0"],
    ]);
    assert.deepEqual((await team.file("b")).hunks[0]?.participants, ["bob"], "who removed lines is known");
    assert.deepEqual(await team.keepTurn("1"), { kept: ["a", "c"], left: [] });
    assert.deepEqual(await turns(), [["2 by bob with 2-a, 2-b", "a +2 -1", "b +0 -1"]]);
    assert.deepEqual((await team.undo("2")).restored, ["a", "b"]);
    assert.equal(team.read("a"), lines("a", "B", "c", "d", "e"));
    assert.deepEqual(await turns(), []);
    assert.deepEqual(await team.keepTurn("3"), { kept: [], left: [] });
  });

  it("are undone by hunk, and the rest stays a change", async (t) => {
    const team = await editedProject(t, { a: START });
    await team.write("1", "a", EDITED);
    const [, last] = (await team.file("a")).hunks;
    const done = await team.undoChanges({ kind: "files", files: [{ path: "a", hunks: [last?.id ?? ""] }] });
    assert.deepEqual([done.restored, team.read("a")], [["a"], lines("a", "B", "c", "d", "e")]);
    assert.deepEqual(await counts(team), ["a changed +1 -1"]);
    assert.equal((await team.edits()).find(({ turnId }) => turnId === "1")?.files[0]?.undone, false);
    await team.undo(done.undoId ?? "");
    assert.deepEqual([team.read("a"), await counts(team)], [EDITED, ["a changed +3 -2"]]);
  });

  it("are undone by file and all at once, which marks their calls as undone, and that can be undone", async (t) => {
    const team = await editedProject(t, { a: START, b: START });
    for (const name of ["a", "b"]) {
      await team.write("1", name, lines("a", "B", "c", "d", "e"));
      await team.write("2", name, EDITED);
    }
    await team.write("2", "made", "x");
    const undone = async () =>
      (await team.edits()).flatMap(({ undoes, files }) => (undoes ? [] : files.map((file) => file.undone)));
    const file = await team.undoChanges({ kind: "files", files: [{ path: "a" }] });
    assert.deepEqual(
      [file.restored, team.read("a"), await counts(team)],
      [["a"], START, ["b changed +3 -2", "made created +1 -0"]],
    );
    assert.deepEqual(await undone(), [true, false, false, true, false]);
    const all = await team.undoChanges(ALL);
    assert.deepEqual([all.restored, team.read("b"), team.read("made")], [["b", "made"], START, null]);
    assert.deepEqual([await undone(), await counts(team)], [[true, true, true, true, true], []]);
    await team.undo(all.undoId ?? "");
    assert.deepEqual(
      [team.read("b"), team.read("made"), await undone()],
      [EDITED, "x", [true, false, false, true, false]],
    );
    assert.deepEqual(await counts(team), ["b changed +3 -2", "made created +1 -0"]);
  });

  it("are kept by file, by hunk and all; what is kept is no change, and later edits are counted from there", async (t) => {
    const team = await editedProject(t, { a: START, b: START });
    await team.write("1", "a", EDITED);
    await team.write("1", "b", EDITED);
    const [first] = (await team.file("a")).hunks;
    await team.keep([{ path: "a", hunks: [first?.id ?? ""] }]);
    assert.deepEqual(await counts(team), ["a changed +2 -1", "b changed +3 -2"]);
    team.others("a", lines("mine", "a", "B", "c", "d", "E", "F"));
    assert.equal((await team.file("a")).base, lines("mine", "a", "B", "c", "d", "e"));
    await team.undoChanges({ kind: "files", files: [{ path: "a" }] });
    assert.equal(team.read("a"), lines("mine", "a", "B", "c", "d", "e"));
    assert.deepEqual((await team.keep()).kept, ["a", "b"]);
    assert.deepEqual(await counts(team), []);
    await team.write("2", "b", lines("a", "B", "c", "d", "E", "F", "G"));
    assert.deepEqual(await counts(team), ["b changed +1 -0"]);
    assert.equal((await team.file("b")).written.length, 3, "what is kept is still known as the team's");
    await team.undoChanges(ALL);
    assert.equal(team.read("b"), EDITED);
  });

  it("of a turn that is undone after they were kept are no change the other way round", async (t) => {
    const team = await editedProject(t, { a: START });
    await team.write("1", "a", EDITED);
    await team.keep();
    const done = await team.undo();
    assert.deepEqual([team.read("a"), await counts(team)], [START, []]);
    await team.undo(done.undoId ?? "");
    assert.deepEqual([team.read("a"), await counts(team)], [EDITED, ["a changed +3 -2"]]);
  });

  it("in lines that others have changed too are left and named, and undone only when that is asked for", async (t) => {
    const team = await editedProject(t, { a: START, gone: START, made: "old" });
    await team.write("1", "a", EDITED);
    await team.write("1", "gone", EDITED);
    await team.write("1", "new", lines("x"));
    team.others("a", lines("a", "B, and mine", "c", "d", "E", "F"));
    team.others("gone", null);
    team.others("new", lines("x", "mine"));
    assert.deepEqual(await counts(team), [
      "a changed +3 -2 mixed",
      "gone deleted +0 -5 mixed",
      "new created +2 -0 mixed",
    ]);
    const dry = await team.undoChanges(ALL, { dryRun: true });
    const done = await team.undoChanges(ALL);
    assert.deepEqual(dry, { ...done, undoId: null });
    assert.deepEqual(done.restored, ["a"]);
    assert.deepEqual(
      done.left.map(({ reason }) => reason),
      [
        '"a" has changed since in the same place (line 2).',
        '"gone" was deleted since.',
        '"new" has changed since in the same place (line 1).',
      ],
    );
    assert.deepEqual([team.read("a"), team.read("gone")], [lines("a", "B, and mine", "c", "d", "e"), null]);
    const forced = await team.undoChanges(ALL, { overwrite: true });
    assert.deepEqual([team.read("a"), team.read("gone"), team.read("new")], [START, START, null]);
    await team.undo(forced.undoId ?? "");
    assert.deepEqual(
      [team.read("a"), team.read("new")],
      [lines("a", "B, and mine", "c", "d", "e"), lines("x", "mine")],
    );
  });

  it("keep lines that others removed together with the team's", async (t) => {
    const team = await editedProject(t, { a: START });
    await team.write("1", "a", lines("a", "B", "c", "d", "e"));
    team.others("a", lines("a", "d", "e"));
    assert.deepEqual(await counts(team), ["a changed +0 -2 mixed"]);
    assert.deepEqual((await team.undoChanges(ALL)).restored, []);
    assert.equal(team.read("a"), lines("a", "d", "e"));
  });

  it("after an event are undone alone, with what others changed since", async (t) => {
    const team = await editedProject(t, { a: START, b: START });
    await team.write("1", "a", lines("a", "B", "c", "d", "e"), "ann", 5);
    await team.write("2", "a", lines("a", "B", "c", "d", "E"), "ann", 15);
    await team.write("2", "b", EDITED, "ann", 16);
    await team.keep();
    team.others("a", lines("a", "B", "c", "mine", "d", "E"));
    const done = await team.undoChanges({ kind: "after", seq: 10 });
    assert.deepEqual([done.restored, done.left], [["a", "b"], []]);
    assert.deepEqual([team.read("a"), team.read("b")], [lines("a", "B", "c", "mine", "d", "e"), START]);
    await team.undo(done.undoId ?? "");
    assert.deepEqual([team.read("a"), team.read("b")], [lines("a", "B", "c", "mine", "d", "E"), EDITED]);
  });

  it("of a turn are undone below later ones, and left where later ones changed the same lines", async (t) => {
    const team = await editedProject(t, { a: START, b: START });
    await team.write("1", "a", lines("a", "B", "c", "d", "e"));
    await team.write("1", "b", lines("a", "B", "c", "d", "e"));
    await team.write("2", "a", EDITED);
    await team.write("2", "b", lines("a", "BB", "c", "d", "e"));
    const done = await team.undo("1");
    assert.deepEqual([done.restored, done.left.map(({ path }) => path)], [["a"], ["b"]]);
    assert.equal(team.read("a"), lines("a", "b", "c", "d", "E", "F"));
  });

  it("keep each line's break, an encoding, and a file that is no text", async (t) => {
    const team = await editedProject(t, { a: "\ufeffa\r\nb\r\nc\r\n", bin: START });
    await team.write("1", "a", "a\r\nB\r\nc\r\n");
    team.others("a", "\ufeffmine\r\na\r\nB\r\nc\r\n");
    await team.write("1", "bin", EDITED);
    team.others("bin", "\0\0");
    const done = await team.undoChanges(ALL);
    assert.deepEqual([team.read("a"), done.left.length], ["\ufeffmine\r\na\r\nb\r\nc\r\n", 1]);
    assert.equal(team.read("bin"), "\0\0");
  });
});
