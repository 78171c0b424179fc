import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import type { CompletionItem, DocumentDiagnosticReport, Hover, InitializeResult } from "vscode-languageserver/node";
import { TeamOpen, ToolsRegister } from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { Scratch } from "./harness/scratch.ts";

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

  it("has completion for the text as it was asked for, while the user types on", async () => {
    await using host = await withDocument(TEXT.replace("lookUp", "r"));
    const position = { line: 5, character: 13 };
    const asked = host.connection.sendRequest<CompletionItem[]>("textDocument/completion", {
      textDocument: { uri },
      position,
    });
    await host.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: position, end: position }, text: "eadF" }],
    });
    const readFile = (await asked).find(({ label }) => label === "readFile");
    const start = { line: 5, character: 12 };
    assert.deepEqual(readFile?.textEdit, { newText: "readFile", range: { start, end: position } });
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

describe("a team file that names agents of other tools", () => {
  it("opens with them, is told what is wrong at the reference, and is opened again with what has changed", async () => {
    using scratch = new Scratch();
    const agents = join(scratch.path, ".claude", "agents");
    mkdirSync(agents, { recursive: true });
    const agent = join(agents, "ann.md");
    writeFileSync(agent, "---\nname: ann\ntools: [Nope]\n---\nI am ann.");
    writeFileSync(join(scratch.path, "AGENTS.md"), "Be brief.");
    const text = `name: Talk
kind: roundRobin
instructionFiles: [AGENTS.md]
participants:
  - agent: .claude/agents/ann.md
models: { default: { provider: practice } }
`;
    const file = join(scratch.path, "a.team.yaml");
    writeFileSync(file, text);
    const fileUri = pathToFileURL(file).href;
    await using host = await HostClient.start({ folders: [pathToFileURL(scratch.path).href] });
    const opened = await host.send(TeamOpen, { teamId: "t", uri: fileUri });
    assert.deepEqual(
      opened.participants.map(({ name }) => name),
      ["ann"],
    );
    const textDocument = { uri: fileUri, languageId: "yaml", version: 1, text };
    await host.connection.sendNotification("textDocument/didOpen", { textDocument });
    const told = async (): Promise<string[]> => {
      const report = await host.connection.sendRequest<DocumentDiagnosticReport>("textDocument/diagnostic", {
        textDocument: { uri: fileUri },
      });
      assert.equal(report.kind, "full");
      return report.items.map(({ range, message, severity }) => `${severity} ${range.start.line}: ${message}`);
    };
    assert.deepEqual(await told(), ['3 4: participants[0].agent: .claude/agents/ann.md: there is no tool for "Nope".']);
    writeFileSync(agent, "---\nname: bob\ntools: {}\n---\nI am bob.");
    assert.deepEqual(await told(), [
      "1 4: participants[0].agent: .claude/agents/ann.md, line 3: tools should be names",
    ]);
    const refused = await refusal(host.send(TeamOpen, { teamId: "t", uri: fileUri }));
    assert.deepEqual(refused.data.problems?.[0]?.line, 5);
    writeFileSync(agent, "---\nname: bob\n---\nI am bob.");
    const again = await host.send(TeamOpen, { teamId: "t", uri: fileUri });
    assert.deepEqual(
      again.participants.map(({ name }) => name),
      ["bob"],
    );
  });
});
