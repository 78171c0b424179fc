import assert from "node:assert/strict";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import * as z from "zod";
import type { Tool } from "../../server/engine/index.ts";
import { Approvals } from "../../server/host/approvals/approvals.ts";
import { UserRules } from "../../server/host/approvals/user-rules.ts";
import { Store } from "../../server/host/store/store.ts";
import { workspaceTools } from "../../server/tools/index.ts";
import { runTool, testCall } from "../../server/tools/testing.ts";
import json from "./path-rules.json" with { type: "json" };

/** `$` in paths and commands is the folder in which everything is. */
const Call = z.strictObject({ tool: z.string(), input: z.unknown() });
const Rule = z.strictObject({
  decision: z.enum(["allow", "deny", "ask"]),
  command: z.string().exactOptional(),
  path: z.string().exactOptional(),
  host: z.string().exactOptional(),
});
const calls = z.array(Call).default([]);
const texts = z.record(z.string(), z.string());
const given = z
  .strictObject({
    roots: z.array(z.string()),
    files: texts,
    links: texts,
    hardLinks: texts,
    cases: z.array(z.strictObject({ what: z.string(), rules: z.array(Rule), allow: calls, ask: calls, deny: calls })),
  })
  .parse(json);

/** A tool of a client: what it does is guessed from its fields. */
const clientTool: Tool = {
  declaration: { name: "client", description: "", inputSchema: {}, approval: "ask" },
  run: async () => "",
};

function workspaceOf(test: { after(remove: () => void): void }): { readonly base: string; readonly roots: string[] } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "gavel-paths-")));
  test.after(() => rmSync(base, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(given.files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    writeFileSync(join(base, path), content);
  }
  for (const [path, target] of Object.entries(given.links)) symlinkSync(join(base, target), join(base, path));
  for (const [path, target] of Object.entries(given.hardLinks)) linkSync(join(base, target), join(base, path));
  return { base, roots: given.roots.map((root) => join(base, root)) };
}

/** The user's rules, for a workspace with these roots. */
function approvalsOf(store: Store, roots: readonly string[]): Approvals {
  return new Approvals({
    records: store.approvals,
    userRules: new UserRules(undefined),
    workspace: { roots: () => roots },
    log: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
    notifyUser: () => {},
  });
}

const posix = { skip: process.platform === "win32" && "the paths are POSIX paths" };

for (const { what, rules, ...expected } of given.cases) {
  test(what, posix, async (t) => {
    const { base, roots } = workspaceOf(t);
    const at = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll("$/", `${base}/`)) as T;
    using store = new Store(undefined);
    const approvals = approvalsOf(store, roots);
    for (const rule of rules) await approvals.add({ tool: "*", scope: "workspace", ...at(rule) });
    const tools = workspaceTools({ roots: () => roots });
    const wrong: string[] = [];

    for (const decision of ["allow", "ask", "deny"] as const) {
      for (const call of expected[decision]) {
        const tool = tools.get(call.tool) ?? clientTool;
        const input = tool.prepare === undefined ? at(call.input) : tool.prepare(at(call.input));
        const effects = await tool.effects?.(input);
        const outcome = await approvals.judge({
          tool: tool.declaration,
          participant: "ann",
          teamId: "t",
          input,
          ...(effects === undefined ? {} : { effects }),
        });
        if (outcome.decision !== decision)
          wrong.push(`${decision}, not ${outcome.decision}: ${call.tool} ${JSON.stringify(call.input)}`);
      }
    }
    assert.deepEqual(wrong, []);
  });
}

test(
  "searches leave out every file that a rule denies or asks about, by any of its names, and count them",
  posix,
  async (t) => {
    const { roots } = workspaceOf(t);
    const tools = workspaceTools({ roots: () => roots });
    for (const decision of ["deny", "ask"] as const) {
      using store = new Store(undefined);
      const approvals = approvalsOf(store, roots);
      await approvals.add({ tool: "*", scope: "workspace", decision, path: "secrets/**" });
      const output = async (name: string, input: object): Promise<string> => {
        const tool = tools.get(name);
        assert.ok(tool);
        const call = { tool: tool.declaration, participant: "ann", teamId: "t", input };
        return String(await runTool(tool, input, { ...testCall().context, leavesOut: approvals.leavesOut(call) }));
      };
      const note = "[3 files were left out because of the user's approval rules.]";

      assert.deepEqual((await output("searchText", { text: "secret" })).split("\n"), ["app/.env:1: SECRET=1", note]);
      assert.match(await output("searchText", { text: "secret", glob: "key.*" }), /^\[No line in 0 files.*\n\[2 files/);
      const listed = await output("listFiles", {});
      assert.ok(listed.endsWith(note), listed);
      assert.doesNotMatch(listed, /\/secrets\/|hard/);
    }
  },
);
