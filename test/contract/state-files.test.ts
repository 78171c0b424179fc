import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { TeamDefinition } from "../../shared/contract/definition.ts";
import {
  TeamInspect,
  TeamLoadState,
  TeamLoadStateFile,
  TeamOpen,
  TeamRun,
  TeamSaveState,
  TeamSaveStateFile,
} from "../../shared/contract/requests.ts";
import type { SavedState } from "../../shared/contract/saved-state.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

const definition: TeamDefinition = {
  name: "Talk",
  kind: "roundRobin",
  participants: [
    { name: "ann" },
    {
      name: "group",
      kind: "team",
      team: { name: "Inner", kind: "roundRobin", participants: [{ name: "cid" }], maxTurns: 1 },
    },
  ],
  models: { default: { provider: "practice", pace: 0, lines: { ann: ["I am ann."], cid: ["I am cid."] } } },
  maxTurns: 2,
};

/** A state with long texts of all kinds of characters, in messages, results and a nested team. */
async function longState(host: HostClient): Promise<SavedState> {
  await host.send(TeamOpen, { teamId: "from", definition });
  await host.send(TeamRun, { teamId: "from", task: "go" });
  const state = await host.send(TeamSaveState, { teamId: "from" });
  assert.ok(Object.hasOwn(state.inner ?? {}, "group"));
  const createdAt = "2026-01-01T00:00:00.000Z";
  const said = (id: string, content: string): SavedState["transcript"][number] => ({
    kind: "message",
    message: { id, type: "TextMessage", source: "ann", content, createdAt },
  });
  return {
    ...state,
    transcript: [
      ...state.transcript,
      // The pieces of a text may end within a character, or a line.
      said("faces", "😀\n".repeat(1_200_000)),
      said("halves", `\ud83d${"x".repeat(100_000)}`),
      {
        kind: "result",
        ref: "r",
        output: { lines: ["a\u0000".repeat(100_000), { $texts: "é".repeat(70_000) }] },
        isError: false,
      },
      ...Array.from({ length: 4 }, (_, nth) => said(`m${nth}`, `${nth} `.padEnd(3_000_000, "word "))),
    ],
  };
}

describe("team/saveStateFile and team/loadStateFile", () => {
  it("a team goes on in another host from a file, which says what team/saveState says", async () => {
    using scratch = new Scratch();
    const file = join(scratch.path, "saved team.gavel-state");
    const uri = String(pathToFileURL(file));
    let state: SavedState;
    {
      await using host = await HostClient.start({ storagePath: join(scratch.path, "one") });
      await host.send(TeamLoadState, { teamId: "from", state: await longState(host) });
      // Its texts are in the store by now, and not in memory.
      await host.shutdown();
      await using again = await HostClient.start({ storagePath: join(scratch.path, "one") });
      writeFileSync(file, "an older file");
      const { bytes } = await again.send(TeamSaveStateFile, { teamId: "from", uri });
      assert.deepEqual([statSync(file).size, statSync(file).mode & 0o777], [bytes, 0o600]);
      state = await again.send(TeamSaveState, { teamId: "from" });
    }
    // Every line is one JSON value, and none is long.
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    for (const line of lines) assert.ok(JSON.stringify(JSON.parse(line)).length < 8_000_000);
    assert.deepEqual(readdirSync(scratch.path).sort(), ["one", "saved team.gavel-state"]);

    await using other = await HostClient.start({ storagePath: join(scratch.path, "two") });
    await other.send(TeamOpen, { teamId: "to", definition });
    const loaded = await other.send(TeamLoadStateFile, { teamId: "to", uri });
    assert.deepEqual(await other.send(TeamInspect, { teamId: "to" }), loaded);
    assert.deepEqual(await other.send(TeamSaveState, { teamId: "to" }), state);
  });

  it("a file that is missing, cut or none of a state is refused, and the team is unchanged", async () => {
    using scratch = new Scratch();
    const file = join(scratch.path, "state");
    const uri = String(pathToFileURL(file));
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const before = await host.send(TeamInspect, { teamId: "t" });
    const problem = async (given = uri): Promise<string> => {
      const { data } = await refusal(host.send(TeamLoadStateFile, { teamId: "t", uri: given }));
      assert.equal(data.code, "InvalidParams");
      return `${data.problems?.[0]?.path}: ${data.problems?.[0]?.message}`;
    };
    assert.match(await problem(), /^uri: ENOENT.*; give a file that team\/saveStateFile wrote$/);
    assert.match(
      await problem("untitled:state"),
      /^uri: is not the URI of a file; give one that begins with file:\/\/\/$/,
    );
    await host.send(TeamSaveStateFile, { teamId: "t", uri });
    const whole = readFileSync(file);
    truncateSync(file, whole.length - 3);
    assert.match(await problem(), /it ends within a line/);
    truncateSync(file, whole.lastIndexOf("\n", whole.length - 2) + 1);
    assert.match(await problem(), /its end is missing/);
    writeFileSync(file, whole);
    appendFileSync(file, "{}\n");
    assert.match(await problem(), /line \d+ of it is none of a saved state \(it comes after the end\)/);
    writeFileSync(file, "# Notes\n");
    assert.match(await problem(), /line 1 of it is none of a saved state/);
    writeFileSync(file, whole.toString().replace('"format":1', '"format":2'));
    assert.match(await problem(), /newer version of Gavel; update Gavel/);
    writeFileSync(file, whole.toString().replace('"kind":"roundRobin"', '"kind":"swarm"'));
    assert.match(await problem(), /^state\.team\.kind: is from a swarm team/);
    writeFileSync(file, `{"kind":"savedState","format":1}\n${"[".repeat(100_000)}${"]".repeat(100_000)}\n`);
    assert.match(await problem(), /nested more than/);
    assert.deepEqual(await host.send(TeamInspect, { teamId: "t" }), before);
  });

  it("a file that cannot be written is a StorageError, and leaves nothing behind", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition });
    const folder = join(scratch.path, "folder");
    mkdirSync(folder);
    for (const path of [folder, join(scratch.path, "missing", "state")]) {
      const uri = String(pathToFileURL(path));
      const { data, message } = await refusal(host.send(TeamSaveStateFile, { teamId: "t", uri }));
      assert.equal(data.code, "StorageError");
      assert.match(message, /could not be written: .*; choose another file, or make room for it\.$/);
    }
    assert.deepEqual(readdirSync(scratch.path), ["folder"]);
  });
});
