import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { delta, finished, rawEndpoint, sendStream } from "../../server/models/testing/raw-endpoint.ts";
import { TeamList } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";
import { CommandLine } from "./harness/command-line.ts";
import { registered } from "./harness/editor-store.ts";

const EDITOR = { id: "user", name: "user" };

/** A shared host of an editor that has the folder open, with its own key. */
async function editorOf(gavel: CommandLine): Promise<HostClient> {
  const storagePath = join(gavel.home, "editor");
  const keys = { "my-key": "sk-of-the-editor" };
  const editor = await HostClient.start({ storagePath, share: true, user: EDITOR, keys, onEndpoint: () => true });
  await registered(gavel, { storagePath, globalStoragePath: storagePath });
  return editor;
}

describe("a command that joins the host of an editor", () => {
  it("runs with its own key, which that host is not left with, and leaves the host running", async () => {
    await using endpoint = await rawEndpoint((response) =>
      sendStream(response, delta({ content: "Hello." }), finished, "[DONE]"),
    );
    const model = { provider: "openai", model: "m", baseUrl: endpoint.url, apiKey: { secret: "my-key" } };
    const participants = [{ name: "ann" }];
    using gavel = new CommandLine({
      "one.team.json": { name: "One", kind: "roundRobin", participants, models: { default: model }, maxTurns: 1 },
    });
    await using editor = await editorOf(gavel);
    const args = ["run", "one.team.json", "Hi.", "--allow-origin", new URL(endpoint.url).origin];
    const { code, stdout, stderr } = await gavel.run(args, { variables: { GAVEL_KEY_MY_KEY: "sk-of-the-terminal" } });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /ann\n {2}Hello\./);
    assert.deepEqual(
      endpoint.requests.map(({ headers }) => headers.authorization),
      ["Bearer sk-of-the-terminal"],
    );
    // It ran in the editor's host, which answers still.
    const { teams } = await editor.send(TeamList, {});
    assert.deepEqual(
      teams.map(({ status, threadLength }) => [status, threadLength]),
      [["idle", 2]],
    );
    assert.ok(editor.logs.some(({ message }) => /joined: gavel \d/.test(message)));
  });

  it("says in one sentence that the host refuses it", async () => {
    using gavel = new CommandLine({});
    await using editor = await editorOf(gavel);
    assert.ok(editor);
    const place = join(gavel.home, "editor", "host.json");
    const known = JSON.parse(readFileSync(place, "utf8"));
    writeFileSync(place, JSON.stringify({ ...known, token: "x".repeat(43) }));
    const { code, stderr } = await gavel.run(["list"]);
    assert.match(
      stderr,
      /^gavel: The agent host of this folder runs, but does not answer; end its process, \d+, .*\.\n$/,
    );
    assert.equal(code, 1);
    writeFileSync(place, JSON.stringify(known));
  });
});
