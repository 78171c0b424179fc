import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TextDocument } from "vscode-languageserver-textdocument";
import schema from "../../../media/team-file.schema.json" with { type: "json" };
import { completionsAt } from "./completion.ts";

const around = { tools: ["readFile", "runCommand"], hasDefaultModel: false, user: "user" };

/** What is offered where the text has a `|`. */
function offered(text: string, name = "a.team.yaml"): string[] {
  return items(text, name).map(({ label }) => label);
}

function items(text: string, name = "a.team.yaml") {
  const offset = text.indexOf("|");
  const document = TextDocument.create(`file:///${name}`, "yaml", 1, text.replace("|", ""));
  return completionsAt(document, offset, { schema, around });
}

/** The text after the item with this label is chosen. */
function chosen(text: string, label: string, name = "a.team.yaml"): string {
  const item = items(text, name).find((each) => each.label === label);
  assert.ok(item?.textEdit !== undefined && "range" in item.textEdit, `${label} is offered`);
  const document = TextDocument.create(`file:///${name}`, "yaml", 1, text.replace("|", ""));
  return TextDocument.applyEdits(document, [item.textEdit]);
}

const TEAM = `name: Review
kind: roundRobin
models:
  fast: { provider: practice }
  slow: { provider: openai, model: gpt-5 }
participants:
  - name: author
    description: Writes
  - name: reviewer
`;

describe("completion in a team file", () => {
  it("offers the keys of the team that are not there yet, required ones first", () => {
    const keys = offered("name: Review\n|");
    assert.deepEqual(keys.slice(0, 3), ["kind", "participants", "description"]);
    assert.ok(!keys.includes("name"));
    assert.deepEqual(offered("name: Review\nki|\n").slice(0, 1), ["kind"]);
    assert.deepEqual(offered("|").slice(0, 3), ["name", "kind", "participants"]);
  });

  it("offers the headers of a remote agent", () => {
    assert.ok(offered("participants:\n  - name: ann\n    kind: a2a\n    |").includes("headers"));
  });

  it("offers the tools of MCP servers that are known, of the team's own too, and all tools of each server", () => {
    const team = "name: x\nmcpServers:\n  own: { command: a }\nparticipants:\n  - name: ann\n    tools: [|]\n";
    const document = TextDocument.create("file:///a.team.yaml", "yaml", 1, team.replace("|", ""));
    const serverTools = [
      { name: "files/read", description: "Reads\u001b[31m a file" },
      { name: "files/read", description: "again" },
      { name: "own/act", description: "" },
      { name: "other/act", description: "of a server that this team has not" },
    ];
    const known = { ...around, servers: ["files"], serverTools };
    const offers = completionsAt(document, team.indexOf("|"), { schema, around: known });
    assert.deepEqual(
      offers.map(({ label }) => label),
      ["readFile", "runCommand", "files/*", "files/read", "own/*", "own/act"],
    );
    assert.equal(offers[2]?.detail, "All tools of the MCP server");
    const condition = "termination: { functionCall: { name: | } }";
    const inCondition = TextDocument.create("file:///a.team.yaml", "yaml", 1, condition.replace("|", ""));
    const names = completionsAt(inCondition, condition.indexOf("|"), { schema, around: known });
    assert.deepEqual(
      names.map(({ label }) => label),
      ["readFile", "runCommand", "files/read"],
    );
  });

  it("offers the choices of a value", () => {
    assert.deepEqual(offered("kind: |"), ["roundRobin", "selector", "swarm", "graph", "magentic"]);
    assert.deepEqual(offered("kind: sel|\nname: x"), ["roundRobin", "selector", "swarm", "graph", "magentic"]);
    assert.deepEqual(offered(`${TEAM}    reflectOnToolUse: |`), ["true", "false"]);
    assert.deepEqual(offered("models:\n  a: { provider: | }"), [
      "openai",
      "azure",
      "anthropic",
      "gemini",
      "vscode",
      "worker",
      "practice",
    ]);
  });

  it("offers a participant's keys in a new list item, beside its name, and in braces", () => {
    assert.deepEqual(offered("participants:\n  - |").slice(0, 2), ["name", "kind"]);
    assert.deepEqual(offered("participants:\n  |").slice(0, 1), ["- name"]);
    const beside = offered(`${TEAM}    |`);
    assert.ok(beside.includes("instructions") && !beside.includes("name"));
    assert.ok(offered(`participants: [{ name: a, in| }]`).includes("instructions"));
    assert.ok(offered(`${TEAM}    context: { | }`).includes("kind"));
  });

  it("offers the settings of the model's provider only", () => {
    const practice = offered("models:\n  a:\n    provider: practice\n    |");
    assert.ok(practice.includes("pace") && !practice.includes("baseUrl"));
    const any = offered("models:\n  a:\n    |");
    assert.ok(any.includes("provider") && any.includes("baseUrl"));
  });

  it("offers one condition, also nested ones", () => {
    assert.ok(offered("termination:\n  |").includes("textMention"));
    assert.ok(offered("termination:\n  any:\n    - maxMessages: 3\n    - |").includes("maxMessages"));
    assert.deepEqual(offered("termination:\n  maxMessages: 3\n  |"), []);
    assert.deepEqual(offered("termination: { any: [{ textMention: { | } }] }"), ["text", "sources"]);
  });

  it("offers the names of models, tools and participants where a file refers to them", () => {
    assert.deepEqual(offered(`${TEAM}    model: |`), ["fast", "slow"]);
    assert.deepEqual(offered(`${TEAM}    tools: [re|]`), ["readFile", "runCommand"]);
    assert.deepEqual(offered(`${TEAM}    tools:\n      - |`).slice(0, 2), ["readFile", "runCommand"]);
    assert.deepEqual(offered(`${TEAM}    handoffs: [|]`), ["author", "reviewer", "user"]);
    assert.deepEqual(offered(`${TEAM}graph: { edges: [{ from: | }] }`), ["author", "reviewer"]);
    assert.deepEqual(offered(`${TEAM}termination: { all: [{ sourceMatch: { sources: [|] } }] }`), [
      "author",
      "reviewer",
      "user",
    ]);
    assert.deepEqual(
      offered("models:\n  m:\n    provider: practice\n    lines:\n      |\nparticipants: [{ name: ann }]"),
      ["ann"],
    );
  });

  it("offers the names of the nested team that the cursor is in, with the models around it", () => {
    const nested = `${TEAM}    team:\n      name: Inner\n      kind: graph\n      participants:\n        - name: one\n`;
    assert.deepEqual(offered(`${nested}          model: |`), ["fast", "slow"]);
    assert.deepEqual(offered(`${nested}      graph: { entry: | }`), ["one"]);
  });

  it("offers nothing in comments, in texts and in unknown places", () => {
    for (const text of [
      "# na|",
      "name: My te|am",
      "participants:\n  - name: a\n    instructions: |-\n      Wri",
      "unknown:\n  deeper: |",
      "[".repeat(5000),
    ])
      assert.deepEqual(offered(text.includes("|") ? text : `${text}|`), [], text.slice(0, 40));
  });

  it("writes a key with what its value needs, at the right indentation", () => {
    assert.equal(chosen("na|", "name"), "name: ");
    assert.equal(chosen("name: x\nparti|", "participants"), "name: x\nparticipants:\n  - ");
    assert.equal(
      chosen("participants:\n  - name: a\n    mem|", "memory"),
      "participants:\n  - name: a\n    memory:\n      ",
    );
    assert.equal(chosen("participants:\n  - too|", "tools"), "participants:\n  - tools:\n      - ");
    assert.equal(chosen("participants:\n  |", "- name"), "participants:\n  - name: ");
    assert.equal(chosen("ki|nd: swarm", "kind"), "kind: swarm");
    assert.equal(chosen(`termination: { te| }`, "textMention"), `termination: { textMention:  }`);
  });

  it("writes JSON in a JSON file", () => {
    assert.equal(chosen('{ "ki|" }', "kind", "a.team.json"), '{ "kind":  }');
    assert.equal(chosen('{ "kind": "|" }', "swarm", "a.team.json"), '{ "kind": "swarm" }');
    assert.equal(chosen('{ "kind": | }', "swarm", "a.team.json"), '{ "kind": "swarm" }');
  });

  it("quotes what YAML would read as something else", () => {
    const text = 'models:\n  "on: x": { provider: practice }\nparticipants:\n  - name: a\n    model: |';
    assert.ok(chosen(text, "on: x").endsWith('model: "on: x"'));
  });
});
