import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { PracticeLine } from "../../shared/contract/definition.ts";
import { EditorPlaces, EditorProblems } from "../../shared/contract/editor-requests.ts";
import { TeamOpen, TeamRun } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";
import { roundRobin } from "./harness/teams.ts";

const call = (tool: string, input: Record<string, unknown>): PracticeLine => ({ calls: [{ tool, input }] });

/** Runs a team whose participant makes these calls. @returns the outputs */
async function outputsOf(host: HostClient, calls: readonly PracticeLine[]): Promise<unknown[]> {
  const tools = ["problems", "symbols", "references", "definition", "terminalOutput"];
  const model = { provider: "practice" as const, pace: 0, lines: { ann: [...calls, "done"] } };
  const definition = roundRobin({ names: ["ann"], model, maxTurns: 1, participants: { tools } });
  await host.send(TeamOpen, { teamId: "t", definition });
  const { messages } = await host.send(TeamRun, { teamId: "t", task: "go" });
  assert.equal(messages.at(-1)?.content, "done");
  return host.eventsOf("t").flatMap((event) => (event.type === "tool/executed" ? [event.output] : []));
}

describe("tools that use what an editor knows", () => {
  it("ask the client, and leave out what may hold secrets", async () => {
    using scratch = new Scratch();
    writeFileSync(join(scratch.path, "a.ts"), "let key = 1;\nuse(key);\n");
    writeFileSync(join(scratch.path, ".env"), "key\n");
    const folder = pathToFileURL(scratch.path).href;
    await using host = await HostClient.start({ folders: [folder] });
    const range = { start: { line: 1, character: 4 }, end: { line: 1, character: 7 } };
    host.connection.onRequest(EditorProblems.method, () => ({
      problems: [{ uri: `${folder}/a.ts`, range, severity: "error", message: "Wrong" }],
    }));
    host.connection.onRequest(EditorPlaces.method, ({ position }) => {
      assert.deepEqual(position, { line: 0, character: 4 });
      return { places: [`${folder}/a.ts`, `${folder}/.env`].map((uri) => ({ uri, range })) };
    });
    assert.deepEqual(
      await outputsOf(host, [
        call("problems", { path: "a.ts" }),
        call("references", { path: "a.ts", symbol: "key", line: 1 }),
      ]),
      ["a.ts:2:5: error: Wrong", "a.ts:2: use(key);\n[1 file that may hold secrets left out.]"],
    );
  });

  it("fail with a sentence where the client is no editor, or answers something else", async () => {
    using scratch = new Scratch();
    await using host = await HostClient.start({ folders: [pathToFileURL(scratch.path).href] });
    host.connection.onRequest("editor/symbols", () => ({ symbols: "all" }));
    assert.deepEqual(await outputsOf(host, [call("problems", {}), call("symbols", { name: "x" })]), [
      "problems needs an editor such as VS Code, and this team does not run in one; do without it.",
      "The editor gave a malformed answer, so there is no result.",
    ]);
  });
});
