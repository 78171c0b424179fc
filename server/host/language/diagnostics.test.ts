import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TextDocument } from "vscode-languageserver-textdocument";
import { diagnosticsOf } from "./diagnostics.ts";

const around = { tools: ["readFile"], hasDefaultModel: true, user: "user" };

/** Each problem as the marked text and the message. */
function marked(text: string): string[] {
  const document = TextDocument.create("file:///a.team.yaml", "yaml", 1, text);
  return diagnosticsOf(document, around).map(({ range, message }) => `${document.getText(range)} → ${message}`);
}

describe("the problems of a team file in an editor", () => {
  it("mark the key or value that is wrong, and no more", () => {
    assert.deepEqual(
      marked(
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

  it("are none in a file that can be opened, and none in an empty one", () => {
    assert.deepEqual(marked("name: Talk\nkind: roundRobin\nparticipants: [{ name: ann }]\n"), []);
    assert.deepEqual(marked("\n \n"), []);
  });

  it("are not looked for in a long file while it is edited, and that is said", () => {
    assert.match(marked(`# ${"long ".repeat(60_000)}\nname: x\n`).join(), /checked when you open the team/);
  });
});
