import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TextDocument } from "vscode-languageserver-textdocument";
import schema from "../../../media/team-file.schema.json" with { type: "json" };
import { hoverAt } from "./hover.ts";

const around = {
  tools: ["readFile"],
  servers: ["files"],
  serverTools: [{ name: "files/read", description: "Reads\u001b [a file](command:x)" }],
  hasDefaultModel: false,
  user: "user",
};

/** What is shown at the `|` in a text, and of which word. */
function shown(text: string): { readonly of: string; readonly says: string } | undefined {
  const document = TextDocument.create("file:///a.team.yaml", "yaml", 1, text.replace("|", ""));
  const hover = hoverAt(document, text.indexOf("|"), { schema, around });
  if (hover === null) return undefined;
  assert.ok(typeof hover.contents === "object" && "kind" in hover.contents);
  assert.equal(hover.contents.kind, "plaintext", "a description in the file is never read as Markdown");
  return { of: document.getText(hover.range), says: hover.contents.value };
}

describe("hover in a team file", () => {
  it("says what a key means, and which values it takes", () => {
    const name = shown("na|me: Review");
    assert.equal(name?.of, "name");
    assert.match(name?.says ?? "", /^The name of the team/);
    assert.match(shown("participants:\n  - context: { ki|nd: buffered }")?.says ?? "", /Values: unbounded, buffered/);
  });

  it("says where the headers of a remote agent go", () => {
    const agent =
      "participants:\n  - name: ann\n    kind: a2a\n    url: https://a.example\n    he|aders: { X-Team: a }";
    assert.match(shown(agent)?.says ?? "", /^Headers of requests to the agent at url .* to the origin of url only\. /);
  });

  it("says what a value means", () => {
    assert.match(shown("kind: sw|arm")?.says ?? "", /swarm: by handoff/);
  });

  it("describes the participant or model that is referred to", () => {
    const text = `models: { fast: { provider: openai, model: gpt-5 } }
participants:
  - name: ann
    description: Writes [links](command:x)
    model: fa|st
    handoffs: [an]
`;
    assert.match(shown(text)?.says ?? "", /^openai · gpt-5\n\n/);
    const handoff = text.replace("|", "").replace("[an]", "[an|n]");
    assert.match(shown(handoff)?.says ?? "", /^Writes \[links\]\(command:x\)/);
  });

  it("describes the tools of MCP servers by their servers' words, as plain text", () => {
    const text = "participants:\n  - name: ann\n    tools: [files/re|ad, files/*]\n";
    assert.match(shown(text)?.says ?? "", /^A tool of the MCP server\n\nReads \[a file\]\(command:x\)/);
    const all = text.replace("|", "").replace("files/*", "files/|*");
    assert.match(shown(all)?.says ?? "", /^All tools of the MCP server/);
  });

  it("says nothing where there is nothing to say, also in a file that is not complete", () => {
    for (const text of ["# com|ment", "unknown: tex|t", "na: [|", "|", `${"[".repeat(3000)}|`, "a: *miss|ing"])
      assert.equal(shown(text), undefined, text.slice(0, 20));
  });

  it("reads no text that takes long: of very many parts, or with maps as keys, which are written out as text", () => {
    for (const models of ["{[".repeat(1500), `[${"1,".repeat(60_000)}`, "? ".repeat(200), "{ ? [a]: ".repeat(20)])
      assert.equal(shown(`na|me: x\nmodels:\n  ${models}b`), undefined);
  });
});
