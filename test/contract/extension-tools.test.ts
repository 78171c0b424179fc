import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PracticeLine, TeamDefinition } from "../../shared/contract/definition.ts";
import { TeamOpen, TeamResolveTools, TeamRun, ToolsOffer } from "../../shared/contract/requests.ts";
import { HostClient, refusal } from "../host-client.ts";
import { roundRobin } from "./harness/teams.ts";

const PRICE = {
  name: "acme_price",
  description: "Tells a price.",
  inputSchema: { type: "object", properties: { thing: { type: "string" } }, required: ["thing"] },
};

function team(tools: readonly string[], calls: readonly PracticeLine[]): TeamDefinition {
  const model = { provider: "practice" as const, pace: 0, lines: { ann: [...calls, "done"] } };
  return roundRobin({ names: ["ann"], model, maxTurns: 1, participants: { tools: [...tools] } });
}

const call = (tool: string, input = {}): PracticeLine => ({ calls: [{ tool, input }] });

const outputs = (host: HostClient): unknown[] =>
  host.eventsOf("t").flatMap((event) => (event.type === "tool/executed" ? [event.output] : []));

describe("tools of the editor's extensions", () => {
  it("ask the user, then run in the client under the name that the team has for them", async () => {
    const seen: unknown[] = [];
    await using host = await HostClient.start({
      onToolCall: ({ name, input }) => {
        seen.push({ name, input });
        return { output: "7" };
      },
    });
    await host.send(ToolsOffer, { tools: [PRICE] });
    const calls = [call("vscode/acme_price", { thing: 1 }), call("vscode/acme_price", { thing: "nail" })];
    await host.send(TeamOpen, { teamId: "t", definition: team(["vscode/acme_price"], calls) });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const pending = await host.event("t", ({ type }) => type === "tool/interrupted");
    assert.partialDeepStrictEqual(pending, { name: "vscode/acme_price", approval: true, input: { thing: "nail" } });
    assert.deepEqual(seen, []);
    const ref = "ref" in pending ? pending.ref : "";
    await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref }] });
    assert.deepEqual(seen, [{ name: "vscode/acme_price", input: { thing: "nail" } }]);
    assert.deepEqual(outputs(host), [
      "The input of vscode/acme_price is not valid: thing: is of type number and has to be string.",
      "7",
    ]);
  });

  it("that are missing let the team open, and a call says what is missing", async () => {
    await using host = await HostClient.start();
    await host.send(TeamOpen, { teamId: "t", definition: team(["vscode/acme_price"], [call("vscode/acme_price")]) });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    assert.deepEqual(outputs(host), [
      'There is no tool "vscode/acme_price"; the tools are none. The tool vscode/acme_price is one of an extension of ' +
        "VS Code, and needs VS Code with this extension.",
    ]);
  });

  it("that come or go while the team is open are there or missing in its next turn", async () => {
    await using host = await HostClient.start({ onToolCall: () => ({ output: "now" }) });
    const calls = [call("vscode/acme_now")];
    await host.send(TeamOpen, { teamId: "t", definition: team(["vscode/acme_now"], calls) });
    await host.send(ToolsOffer, { tools: [{ name: "acme_now", description: "" }] });
    await host.send(TeamRun, { teamId: "t", task: "go" });
    const pending = await host.event("t", ({ type }) => type === "tool/interrupted");
    await host.send(ToolsOffer, { tools: [] });
    await host.send(TeamResolveTools, { teamId: "t", restart: [{ ref: "ref" in pending ? pending.ref : "" }] });
    assert.match(String(outputs(host).at(-1)), /^There is no tool "vscode\/acme_now"/);
  });

  it("with an input that no model accepts are refused alone, and their team file says why", async () => {
    await using host = await HostClient.start();
    const tools = [
      PRICE,
      { ...PRICE, name: "wrong", inputSchema: { type: "object", properties: { thing: { type: "strnig" } } } },
      { ...PRICE, name: "list", inputSchema: { type: "array" } },
      { ...PRICE, name: "either", inputSchema: { anyOf: [{ type: "object" }] } },
      { ...PRICE, name: "text", inputSchema: "any" },
    ];
    await host.send(ToolsOffer, { tools });
    const names = ["vscode/wrong", "vscode/list", "vscode/either", "vscode/text", "vscode/acme_prize", "vscode/a.b"];
    const refused = await refusal(host.send(TeamOpen, { teamId: "t", definition: team(names, []) }));
    assert.deepEqual(
      refused.data.problems?.map(({ message }) => message),
      [
        'the tool "vscode/wrong" cannot be used: the schema of its input is wrong: properties.thing.type: "strnig" is not ' +
          'a JSON Schema type; did you mean "string"?',
        'the tool "vscode/list" cannot be used: its input is no object, which models need',
        'the tool "vscode/either" cannot be used: the schema of its input has anyOf at its top, which models do not accept',
        'the tool "vscode/text" cannot be used: the schema of its input is no map of keys',
        'unknown tool "vscode/acme_prize"; did you mean "vscode/acme_price"?',
        '"vscode/a.b" is no tool of VS Code; its name has letters, digits, _ and - only',
      ],
    );
  });
});
