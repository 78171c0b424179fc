import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { DocumentsRead } from "../../../shared/contract/client-requests.ts";
import {
  EditsChanges,
  EditsList,
  EditsUndo,
  TeamPreviewTool,
  TeamResolveTools,
} from "../../../shared/contract/requests.ts";
import type { AgentStep } from "../../fixtures/acp-agent/agent.ts";
import { AgentHost } from "./agent-host.ts";

describe("an agent program as a participant: files", () => {
  it("reads and writes files through our tools: rules, edits that can be undone, unsaved text", async () => {
    await using agents = await AgentHost.start();
    const path = agents.file("a.txt", "one\ntwo\nthree\n");
    agents.file(".env", "PASSWORD=x");
    agents.host.connection.onRequest(DocumentsRead.method, ({ uri }: { uri: string }) =>
      uri === pathToFileURL(path).href ? { uri, text: "one\nTWO\nthree\n", version: 2, dirty: true } : null,
    );
    await agents.open();

    const asked = await agents.run(
      { read: path, line: 2, limit: 1 },
      { read: agents.path("outside.txt") },
      { write: agents.file("b.txt"), content: "new\n" },
      { say: "Written." },
    );
    assert.equal(asked.stopReason, "TOOL_INTERRUPT");
    assert.deepEqual(agents.log("got"), [{ content: "TWO" }]);
    assert.match(String(agents.log("refused")[0]), /outside the workspace/);
    const [call] = await agents.pending();
    assert.partialDeepStrictEqual(call, { name: "writeFile", input: { path: "b.txt", content: "new\n" } });
    const preview = await agents.host.send(TeamPreviewTool, { teamId: "t", ref: call?.ref ?? "" });
    assert.partialDeepStrictEqual(preview, { path: "b.txt", before: null, after: "new\n" });
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    assert.equal(readFileSync(agents.file("b.txt"), "utf8"), "new\n");
    assert.equal((await agents.thread()).at(-1)?.content, "Written.");
    const { turns } = await agents.host.send(EditsList, { teamId: "t" });
    assert.deepEqual(
      turns.map(({ participant, files }) => [participant, files.map(({ path: shown }) => shown)]),
      [["ann", ["b.txt"]]],
    );
    await agents.host.send(EditsUndo, { teamId: "t" });
    assert.equal(existsSync(agents.file("b.txt")), false);

    await agents.run({ read: agents.file(".env") });
    assert.partialDeepStrictEqual((await agents.pending())[0], { name: "readFile", input: { path: ".env" } });
  });

  it("writes within a call that was allowed with this change without being asked again, and only this change", async () => {
    await using agents = await AgentHost.start();
    const path = agents.file("a.txt", "one\ntwo\n");
    await agents.open();
    const edit = (toolCallId: string, content: string): AgentStep => ({
      ask: {
        toolCallId,
        title: "Edit a.txt",
        kind: "edit",
        content: [{ type: "diff", path, oldText: "two", newText: "2" }],
      },
      on: { yes: [{ write: path, content }, { update: { toolCallId, status: "completed" } }] },
    });

    await agents.run(edit("c1", "one\n2\n"), { say: "Edited." });
    const [call] = await agents.pending();
    const preview = await agents.host.send(TeamPreviewTool, { teamId: "t", ref: call?.ref ?? "" });
    assert.partialDeepStrictEqual(preview, { path: "a.txt", before: "one\ntwo\n", after: "one\n2\n" });
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: call?.ref ?? "" }] });
    assert.deepEqual([readFileSync(path, "utf8"), (await agents.pending()).length], ["one\n2\n", 0]);
    const { turns } = await agents.host.send(EditsList, { teamId: "t" });
    assert.deepEqual(
      turns.flatMap(({ files }) => files.map(({ refs }) => refs)),
      [[call?.ref]],
    );

    agents.file("a.txt", "one\ntwo\n");
    await agents.run(edit("c2", "all else\n"));
    const [second] = await agents.pending();
    await agents.host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: second?.ref ?? "" }] });
    assert.equal(readFileSync(path, "utf8"), "one\ntwo\n");
    assert.partialDeepStrictEqual((await agents.pending())[0], { name: "writeFile", input: { content: "all else\n" } });
  });

  it("that changes files by itself is noticed: the changes are listed with its call", async () => {
    await using agents = await AgentHost.start();
    agents.file("a.txt", "one\n");
    await agents.open();
    const call = { toolCallId: "c1", title: "sed -i", kind: "execute" } as const;

    await agents.run(
      { call: { ...call, status: "in_progress" } },
      { save: agents.file("a.txt"), content: "changed\n" },
      { update: { toolCallId: "c1", status: "completed" } },
      { say: "Done." },
    );
    const first = await agents.host.send(EditsChanges, { teamId: "t" });
    assert.partialDeepStrictEqual(first, { commands: [{ path: "a.txt", command: "sed -i", change: "changed" }] });
    await agents.run({ save: agents.file("b.txt"), content: "new\n" });
    assert.partialDeepStrictEqual(agents.events("tool/requested").at(-1), {
      calls: [{ name: "agent:edit", input: { title: "Changed files", paths: [agents.file("b.txt")] } }],
    });
  });
});
