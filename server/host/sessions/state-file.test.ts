import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isRecord } from "../../../shared/json-record.ts";
import { ScratchFolder } from "../store/testing/scratch-folder.ts";
import { NoStateFile, readStateFile } from "./state-file.ts";

const START = { kind: "savedState", format: 1 };
const END = { kind: "end" };
const team = (path: readonly unknown[], state: object = {}) => ({ kind: "team", path, state });

/** What is read from a file of these lines. */
const read = (...lines: readonly unknown[]): Promise<unknown> => readAll(lines);

async function readAll(lines: readonly unknown[]): Promise<unknown> {
  using folder = new ScratchFolder();
  const file = join(folder.path, "state");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return await readStateFile(file);
}

describe("readStateFile", () => {
  it("puts together many nested teams in time that grows with their number, whatever their names", async () => {
    const names = ["__proto__", ...Array.from({ length: 30_000 }, (_, nth) => `n${nth}`)];
    const state = await readAll([START, team([]), ...names.map((name) => team([name])), END]);
    assert.ok(isRecord(state) && isRecord(state["inner"]));
    assert.deepEqual(Object.keys(state["inner"]), names);
    assert.equal(Object.getPrototypeOf(state["inner"]), Object.prototype);
  });

  it("a team that comes twice, in another's place, or is nested too deep, is none of a state", async () => {
    await assert.rejects(read(START, team([]), team([]), END), /line 3 .*that team is in it already/);
    await assert.rejects(read(START, team([]), team(["a"]), team(["a"]), END), /line 4 .*that team is in it already/);
    await assert.rejects(read(START, team([]), team(["a", "b"]), END), /line 3 .*the team around it is missing/);
    assert.deepEqual(await read(START, team([], { inner: "x" }), team(["a"]), END), {
      transcript: [],
      inner: { a: { transcript: [] } },
    });
    const deep = Array.from({ length: 400 }, (_, depth) => team(Array.from({ length: depth }, () => "a")));
    await assert.rejects(read(START, ...deep, END), /the state is nested more than 200 levels deep/);
  });

  it("a text in pieces is no longer than one of a message, and belongs somewhere", async () => {
    const piece = "x".repeat(1024 * 1024);
    const entry = { kind: "message", message: { content: "" }, $texts: 1 };
    const place = JSON.stringify(["message", "content"]);
    const pieces = Array.from({ length: 16 }, () => [place, piece]);
    await assert.rejects(
      read(START, team([]), ...pieces, entry, END),
      /the state has a text of more than 16,000,000 characters/,
    );
    for (const wrong of [
      '"message"',
      "5",
      "null",
      "{}",
      "[]",
      '[["message"],"content"]',
      '["__proto__","content"]',
      "[",
    ])
      await assert.rejects(read(START, team([]), [wrong, "x"], entry, END), NoStateFile, wrong);
    await assert.rejects(read(START, team([]), ['"m"', "x"], entry, END), /A text belongs nowhere/);
  });

  it("what is no file is not read", { skip: process.platform === "win32" }, async () => {
    using folder = new ScratchFolder();
    for (const path of [folder.path, "/dev/null"]) await assert.rejects(readStateFile(path), /it is not a file/, path);
  });
});
