import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import { type CallToApprove, SensitiveFiles } from "../../server/engine/index.ts";
import { Approvals } from "../../server/host/approvals/approvals.ts";
import { UserRules } from "../../server/host/approvals/user-rules.ts";
import { Store } from "../../server/host/store/store.ts";
import { workspaceTools } from "../../server/tools/index.ts";
import { folderOf } from "../../server/tools/testing.ts";
import { ApprovalDecision, ApprovalSubject } from "../../shared/contract/approval.ts";
import json from "./sensitive-calls.json" with { type: "json" };

const subjects = z.array(ApprovalSubject);
const Case = z.strictObject({
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** The user's rules. */
  allow: subjects,
  deny: subjects.optional(),
  decision: ApprovalDecision,
  /** A part of the sentence that says why. */
  reason: z.string().optional(),
});
type Case = z.infer<typeof Case>;

const texts = z.record(z.string(), z.string());
const { files, links, cases } = z.strictObject({ files: texts, links: texts, cases: z.array(Case) }).parse(json);

/** What the host decides on a call, with the real tools in a real folder, and the rules as the only ones. */
async function outcomeOf(root: string, { tool: name, input: given, allow, deny = [] }: Case) {
  const input: unknown = JSON.parse(JSON.stringify(given).replaceAll("ROOT", root));
  using store = new Store(undefined);
  const sensitive = new SensitiveFiles({ roots: () => [root], ownFolders: [join(root, "store")] });
  const workspace = { roots: () => [root], files: sensitive };
  const log = { error() {}, warn() {}, info() {}, debug() {} };
  const approvals = new Approvals({
    records: store.approvals,
    userRules: new UserRules(undefined),
    workspace,
    log,
    notifyUser: assert.fail,
  });
  for (const [decision, rules] of Object.entries({ allow, deny })) {
    for (const rule of rules) {
      await approvals.add({ ...rule, decision: ApprovalDecision.parse(decision), scope: "workspace" });
    }
  }
  const tool = workspaceTools({ roots: () => [root] }).get(name);
  const call: CallToApprove = {
    tool: tool?.declaration ?? { name, description: "", inputSchema: {} },
    participant: "ann",
    teamId: "t",
    input: tool?.prepare?.(input) ?? input,
  };
  const effects = await tool?.effects?.(call.input);
  return await approvals.judge(effects === undefined ? call : { ...call, effects });
}

test("a call that writes a protected file, or uses a secret one, needs the user or a rule for exactly this file", async (t) => {
  const root = folderOf(t, files);
  for (const [link, target] of Object.entries(links)) symlinkSync(target, join(root, link));
  const wrong: string[] = [];
  for (const one of cases) {
    const { decision, reason } = await outcomeOf(root, one);
    if (decision !== one.decision || !reason.includes(one.reason ?? "")) {
      wrong.push(`${one.tool} ${JSON.stringify(one.input)} under ${JSON.stringify(one.allow)}: ${decision}, ${reason}`);
    }
  }
  assert.deepEqual(wrong, []);
});
