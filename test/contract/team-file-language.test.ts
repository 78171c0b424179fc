import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CompletionItem, DocumentDiagnosticReport, Hover, InitializeResult } from "vscode-languageserver/node";
import { ToolsRegister } from "../../shared/contract/requests.ts";
import { HostClient } from "../host-client.ts";

const uri = "file:///review.team.yaml";

const TEXT = `name: Review
kind: roundRobin
models: { default: { provider: practice } }
participants:
  - name: ann
    tools: [lookUp]
`;

async function withDocument(text: string): Promise<HostClient> {
  const host = await HostClient.start();
  await host.connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "yaml", version: 1, text },
  });
  return host;
}

const problems = async (host: HostClient): Promise<string[]> => {
  const report = await host.connection.sendRequest<DocumentDiagnosticReport>("textDocument/diagnostic", {
    textDocument: { uri },
  });
  assert.equal(report.kind, "full");
  return report.items.map(({ range, message }) => `${range.start.line}:${range.start.character} ${message}`);
};

describe("a team file in a client's editor", () => {
  it("has its problems looked for as it changes, and again when the client registers a tool", async () => {
    await using host = await withDocument(TEXT);
    const refreshed = new Promise<void>((resolve) => {
      host.connection.onRequest("workspace/diagnostic/refresh", () => {
        resolve();
        return null;
      });
    });
    const [unknown, ...others] = await problems(host);
    assert.match(unknown ?? "", /^5:12 participants\[0\]\.tools\[0\]: unknown tool "lookUp"/);
    assert.deepEqual(others, []);

    await host.send(ToolsRegister, { tools: [{ name: "lookUp", description: "", inputSchema: {} }] });
    await refreshed;
    assert.deepEqual(await problems(host), []);

    await host.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: { line: 1, character: 6 }, end: { line: 1, character: 16 } }, text: "swamr" }],
    });
    assert.deepEqual(await problems(host), ['1:6 kind: "swamr" is not valid here; did you mean "swarm"?']);
  });

  it("has completion and hover", async () => {
    await using host = await withDocument(TEXT.replace("roundRobin", ""));
    const position = { line: 1, character: 6 };
    const items = await host.connection.sendRequest<CompletionItem[]>("textDocument/completion", {
      textDocument: { uri },
      position,
    });
    assert.deepEqual(
      items.map(({ label }) => label),
      ["roundRobin", "selector", "swarm", "graph", "magentic"],
    );
    const hover = await host.connection.sendRequest<Hover>("textDocument/hover", {
      textDocument: { uri },
      position: { line: 0, character: 1 },
    });
    assert.deepEqual(hover.range, { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } });
    assert.match(JSON.stringify(hover.contents), /The name of the team/);
  });

  it("is one that was opened: of any other nothing is known", async () => {
    await using host = await HostClient.start();
    assert.deepEqual(await problems(host), []);
    const at = { textDocument: { uri }, position: { line: 0, character: 0 } };
    assert.deepEqual(await host.connection.sendRequest("textDocument/completion", at), []);
    assert.equal(await host.connection.sendRequest("textDocument/hover", at), null);
  });

  it("is announced by the capabilities of the host", async () => {
    await using host = new HostClient();
    const { capabilities } = (await host.initialize()) as InitializeResult;
    assert.deepEqual(capabilities.textDocumentSync, { openClose: true, change: 2 });
    assert.equal(capabilities.hoverProvider, true);
    assert.ok(capabilities.completionProvider !== undefined && capabilities.diagnosticProvider !== undefined);
  });
});
