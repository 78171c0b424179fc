import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TextDocument } from "vscode-languageserver-textdocument";
import { diagnosticsOf } from "./diagnostics.ts";

const around = { tools: ["readFile"], hasDefaultModel: true, user: "user" };

/** Each problem as the marked text and the message. */
async function marked(text: string): Promise<string[]> {
  const document = TextDocument.create("file:///a.team.yaml", "yaml", 1, text);
  const plain = async (content: unknown) => ({ content, problems: [], notes: [] });
  return (await diagnosticsOf(document, around, plain)).map(
    ({ range, message }) => `${document.getText(range)} → ${message}`,
  );
}

describe("the problems of a team file in an editor", () => {
  it("mark the key or value that is wrong, and no more", async () => {
    assert.deepEqual(
      await marked(
        'name: Talk\nkind: roundrobin # typo\nparticipants:\n  - { name: ann, tools: [readfile, "x y"], modl: fast }\n',
      ),
      [
        'roundrobin → kind: "roundrobin" is not valid here; did you mean "roundRobin"?',
        'readfile → participants[0].tools[0]: unknown tool "readfile"; did you mean "readFile"?',
        '"x y" → participants[0].tools[1]: unknown tool "x y"; the tools are readFile',
        'modl → participants[0].modl: unknown key "modl"; did you mean "model"?',
      ],
    );
  });

  it("are none in a file that can be opened, and none in an empty one", async () => {
    assert.deepEqual(await marked("name: Talk\nkind: roundRobin\nparticipants: [{ name: ann }]\n"), []);
    assert.deepEqual(await marked("\n \n"), []);
  });

  it("are not looked for in a long file while it is edited, and that is said", async () => {
    assert.match((await marked(`# ${"long ".repeat(60_000)}\nname: x\n`)).join(), /checked when you open the team/);
  });
});
