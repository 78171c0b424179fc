import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RawHost } from "./raw-host.ts";

/** Names that every object has, which a record that is built by name would find. */
const INHERITED = ["constructor", "toString", "hasOwnProperty", "valueOf", "isPrototypeOf"];

interface Snapshot {
  readonly thread: readonly { readonly source: string; readonly content: string }[];
}

async function started(): Promise<RawHost> {
  const host = new RawHost();
  await host.request("initialize", { capabilities: {} });
  host.send({ jsonrpc: "2.0", method: "initialized", params: {} });
  return host;
}

/** A team in which everything that has a name has this one. */
const teamOf = (name: string): unknown => ({
  name,
  kind: "roundRobin",
  participants: [
    {
      name,
      kind: "team",
      team: {
        name,
        kind: "graph",
        participants: [
          {
            name,
            model: name,
            memory: { keep: true },
            tools: [
              {
                name,
                description: "A tool.",
                approval: "ask",
                inputSchema: { type: "object", properties: { [name]: { type: "number" } } },
              },
            ],
          },
          { name: "other", model: name },
        ],
        models: {
          [name]: {
            provider: "practice",
            pace: 0,
            lines: {
              [name]: [
                {
                  calls: [
                    { tool: "remember", input: { note: "A note." } },
                    { tool: name, input: { [name]: 5 } },
                  ],
                },
                "One.",
              ],
              other: ["Two."],
            },
          },
        },
        graph: { edges: [{ from: name, to: "other" }] },
      },
    },
  ],
  models: { default: { provider: "practice", pace: 0 } },
  maxTurns: 1,
});

describe("a name that every object has is like any other:", () => {
  for (const name of INHERITED) {
    it(name, async () => {
      await using host = await started();
      const ask = async (method: string, params: object): Promise<unknown> => {
        const { result, error } = await host.request(method, { teamId: name, ...params });
        assert.equal(error, undefined, method);
        return result;
      };

      await ask("team/open", { definition: teamOf(name) });
      await ask("team/run", { task: "Go." });
      const { pendingTools } = (await ask("team/inspect", {})) as {
        pendingTools: readonly { ref: string; name: string; input: unknown }[];
      };
      assert.deepEqual(
        pendingTools.map((call) => [call.name, call.input]),
        [[name, { [name]: 5 }]],
      );
      await ask("team/resolveTools", { respond: pendingTools.map(({ ref }) => ({ ref, output: { [name]: "done" } })) });

      const { thread } = (await ask("team/inspect", {})) as Snapshot;
      assert.deepEqual(thread.at(-1)?.source, name);
      await ask("team/inspectState", {});
      const state = await ask("team/saveState", {});
      await ask("team/reset", {});
      assert.deepEqual(((await ask("team/loadState", { state })) as Snapshot).thread, thread);
      await ask("team/fork", { newTeamId: `${name}-2` });
      assert.equal(host.errors, "");
    });
  }
});

it("__proto__ is refused as a name in a definition, with the place", async () => {
  await using host = await started();
  const named = JSON.stringify(teamOf("NAME")).replaceAll("NAME", "__proto__");
  const { error } = await host.request("team/open", { definition: JSON.parse(named) });

  assert.equal(error?.data?.code, "InvalidDefinition");
  assert.match(error?.message ?? "", /"__proto__" cannot be a key; choose another name/);
  for (const participant of [{ name: "__proto__" }, { name: "ann", tools: ["__proto__"] }]) {
    const definition = {
      name: "t",
      kind: "roundRobin",
      participants: [participant],
      models: { default: { provider: "practice" } },
    };
    const refused = (await host.request("team/open", { definition })).error;
    assert.match(refused?.message ?? "", /participants\[0\]\S*: "__proto__" cannot be a name; choose another\.$/);
  }
});
