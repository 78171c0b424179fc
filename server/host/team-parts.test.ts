import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolDeclaration } from "../../shared/contract/definition.ts";
import { type ApprovalOutcome, type CallToApprove, SensitiveFiles, type TeamParts } from "../engine/index.ts";
import { FileEditor } from "../tools/index.ts";
import { folderOf } from "../tools/testing.ts";
import type { ClientRequests } from "./client-services/client-requests.ts";
import { ClientTools } from "./client-services/client-tools.ts";
import { teamParts } from "./team-parts.ts";

const unreachable: ClientRequests = { send: () => Promise.reject(new Error("No client is asked here.")) };
const client = { requests: unreachable, isConnected: true };

const READER = { participant: "ann", teamId: "t" };
const ALLOW = async () => ({ decision: "allow" as const, rules: [], byRule: false, reason: "" });

function partsOf(
  folder?: string,
  approval: (call: CallToApprove) => Promise<ApprovalOutcome> = ALLOW,
): { readonly parts: TeamParts; readonly clientTools: ClientTools } {
  const clientTools = new ClientTools(() => client, []);
  const parts = teamParts({
    access: { get: async () => null },
    defaultModel: async () => undefined,
    workers: { toolSource: () => assert.fail() },
    clientTools,
    mcpServers: { sourceFor: () => assert.fail("No team here has a server.") },
    extensionTools: { sourceFor: () => assert.fail() },
    leavesOut: () => undefined,
    approval,
  })({
    folders: { roots: () => (folder === undefined ? [] : [folder]), files: new SensitiveFiles({ roots: () => [] }) },
    tools: new Map(),
    editor: new FileEditor({ roots: () => [] }),
  });
  return { parts, clientTools };
}

test("memory files are read only from the open folders", async (t) => {
  const { parts } = partsOf(folderOf(t, { "rules.md": "Be kind." }));

  assert.equal(await parts.readMemory?.("rules.md", READER), "Be kind.");
  await assert.rejects(async () => parts.readMemory?.("../rules.md", READER), /outside the workspace/);
});

test("a memory file that the user's rules deny, or ask about, is not read", async (t) => {
  const folder = folderOf(t, { "rules.md": "Be kind." });
  for (const decision of ["deny", "ask"] as const) {
    const judged: CallToApprove[] = [];
    const { parts } = partsOf(folder, async (call) => {
      judged.push(call);
      return { decision, rules: [], byRule: true, reason: "A rule denies this." };
    });

    await assert.rejects(async () => parts.readMemory?.("rules.md", READER), /A rule denies this/);
    assert.deepEqual(
      judged.map(({ tool, participant, effects }) => [tool.name, participant, effects?.paths]),
      [["readFile", "ann", [{ use: "read", path: join(folder, "rules.md") }]]],
    );
  }
});

test("a tool that a client registers after the team was opened asks for approval and validates its input as declared", () => {
  const { parts, clientTools } = partsOf();
  const tool = parts.tool("pay");
  assert.equal(tool?.declaration.approval, undefined);
  const inputSchema = { type: "object", required: ["amount"] };
  const pay: ToolDeclaration = { name: "pay", description: "Pays.", inputSchema, approval: "ask" };

  clientTools.register(client, [pay]);

  assert.equal(tool?.declaration.approval, "ask");
  assert.throws(() => tool?.prepare?.({}), { message: "The input of pay is not valid: amount: is missing." });
});
