import assert from "node:assert/strict";
import { test } from "node:test";
import type { StateInspection } from "../../shared/contract/inspection.ts";
import { inspectionText } from "./inspection-text.ts";

const nothing: StateInspection = {
  speakers: [],
  contexts: [],
  tools: [],
  pendingTools: [],
  queued: [],
  conditions: [],
};

test("a team's state is a document: speakers, model contexts, tools, waiting messages, termination conditions", () => {
  const text = inspectionText("Review", "paused", {
    speakers: [{ participant: "ann", path: ["research"], activity: "idle", turns: 1, lastLine: "Hello" }],
    contexts: [{ participant: "bob", items: 3, tokens: 120, dropped: 2, firstShown: "What?", tail: ["Hello", "Well"] }],
    tools: [
      {
        ref: "1",
        name: "deploy",
        participant: "bob",
        mayHaveHadEffects: true,
        state: "running",
        onInterrupt: "wait",
      },
    ],
    pendingTools: [{ ref: "2", name: "runCommand", participant: "bob", input: { command: "ls" } }],
    queued: [{ id: "q", to: "ann", messages: ["Be brief"], delivery: "steer", visibility: "target" }],
    conditions: [
      { kind: "maxMessages", text: "Ends at 5 messages.", progress: "3 of 5 messages", fired: false },
      {
        kind: "external",
        text: "Ends on request.",
        progress: "asked",
        fired: true,
        together: true,
        path: ["research"],
      },
    ],
    note: '{"plan":1}',
  });
  for (const line of [
    "# `Review`: paused",
    "- **research › ann**: idle, 1 turn, last said `Hello`",
    "- **bob**: 3 items, about 120 tokens, 2 items left out",
    "  - starts with `What?`",
    "  - … `Well`",
    "- deploy of bob: running. If interrupted, it runs to completion",
    '- runCommand of bob with `{"command":"ls"}`',
    "- to **ann**, at ann's next turn, shown only to ann: `Be brief`",
    "- `Ends at 5 messages` (3 of 5 messages)",
    "- research: `Ends on request` (asked, fired, only together with the other conditions of its `all`)",
    '- `{"plan":1}`',
  ]) {
    assert.ok(text.split("\n").includes(line), `${line}\n\nis not in\n\n${text}`);
  }
});

test("an empty section says so", () => {
  assert.equal(inspectionText("Review", "idle", nothing).match(/None\./g)?.length, 7);
});

test("text of models and team files is not rendered as Markdown, and hides nothing", () => {
  const image = "![x](https://evil.example/p.png)";
  const text = inspectionText(image, "idle", {
    ...nothing,
    conditions: [{ kind: "textMention", text: `Ends on ${image}.`, progress: "not yet", fired: false }],
    speakers: [{ participant: "eve", activity: "idle", turns: 0, lastLine: "a ``b`` [x](command:y) \u202e" }],
  });
  assert.match(text, /last said ``` a ``b`` \[x\]\(command:y\) ⟨U\+202E⟩ ```/);
  assert.ok(text.startsWith(`# \`${image}\`: idle\n`));
  assert.ok(text.includes(`- \`Ends on ${image}\` (not yet)`));
});
