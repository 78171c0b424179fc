import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableEvent } from "../contract/event.ts";
import { initialTeamState } from "../state/team-state.ts";
import { threadMarkdown } from "./thread-markdown.ts";

const at = "2026-03-02T10:40:00.000Z";
const team = initialTeamState("t", { name: "Review", kind: "roundRobin", participants: [{ name: "ann" }] });

test("speakers, tool calls and receipts are in the document, in order", () => {
  const events: DurableEvent[] = [
    {
      seq: 1,
      at,
      type: "message/added",
      message: { id: "m", type: "TextMessage", source: "ann", content: "Hello", createdAt: at },
    },
    {
      seq: 2,
      at,
      type: "tool/requested",
      participant: "ann",
      calls: [{ ref: "c", name: "readFile", input: { path: "a" } }],
    },
    {
      seq: 3,
      at,
      type: "tool/executed",
      ref: "c",
      name: "readFile",
      participant: "ann",
      output: "text",
      isError: false,
    },
  ];
  const text = threadMarkdown(team, events);
  assert.match(
    text,
    /^# `Review`\n\nParticipants: `ann`\n\n## `ann`, 2026-03-02 10:40:00 UTC\n\n```markdown\nHello\n```/,
  );
  assert.match(text, /\*\*`ann`\*\* calls \*\*`readFile`\*\*:\n\n```json\n\{\n {2}"path": "a"\n\}\n```/);
  assert.match(text, /\*\*`readFile`\*\* returned:\n\n```\ntext\n```/);
});

test("a fork's document has the thread that was copied, with tool calls, once, and what followed it", () => {
  const message = (id: string, content: string) =>
    ({ id, type: "TextMessage", source: "ann", content, createdAt: at }) as const;
  const calls = [{ ref: "c", name: "readFile", input: { path: "a" } }];
  const loaded: DurableEvent = {
    seq: 2,
    at,
    type: "state/loaded",
    state: {
      schemaVersion: 2,
      team: { name: "Review", kind: "roundRobin", participants: ["ann"] },
      transcript: [
        { kind: "message", message: message("m1", "Hello") },
        { kind: "calls", participant: "ann", calls },
        { kind: "result", ref: "c", output: "text", isError: false },
      ],
      pendingTools: [],
      queued: [],
      openTurns: [],
      lastSpeaker: null,
      turn: 0,
      usage: { prompt: 0, completion: 0, total: 0 },
      interrupted: false,
      conditionMessages: 0,
    },
  };
  const added = (seq: number, id: string, content: string): DurableEvent => ({
    seq,
    at,
    type: "message/added",
    message: message(id, content),
  });
  const text = threadMarkdown(team, [added(1, "m1", "Hello"), loaded, added(3, "m2", "Goodbye")]);
  assert.deepEqual(
    text.split("\n").filter((line) => /^(##|\*\*|Hello|Goodbye|text)/.test(line)),
    [
      "## `ann`, 2026-03-02 10:40:00 UTC",
      "Hello",
      "**`ann`** calls **`readFile`**:",
      "**`readFile`** returned:",
      "text",
      "## `ann`, 2026-03-02 10:40:00 UTC",
      "Goodbye",
    ],
  );
});

test("a thread that was renamed has its own name above it", () => {
  const team = initialTeamState("t", { name: "Review", kind: "roundRobin", participants: [{ name: "ann" }] });
  assert.match(threadMarkdown({ ...team, title: "Herons" }, []), /^# `Herons`\n/);
});

test("no text leaves its fence", () => {
  const content = "```\n# Not a heading\n![image](https://example.com/x.png)\n`````";
  const message = { id: "m", type: "TextMessage" as const, source: "`ann`\n# x", content, createdAt: at };
  const text = threadMarkdown(team, [{ seq: 1, at, type: "message/added", message }]);
  assert.ok(text.includes(`\`\`\`\`\`\`markdown\n${content}\n\`\`\`\`\`\``), text);
  assert.doesNotMatch(text, /^# x/m);
});

test("a text of very many backticks is fenced like any other", () => {
  const content = "` ".repeat(300_000);
  const event: DurableEvent = {
    seq: 1,
    at,
    type: "message/added",
    message: { id: "m", type: "TextMessage", source: "ann", content, createdAt: at },
  };
  assert.ok(threadMarkdown(team, [event]).includes(`\`\`\`markdown\n${content}\n\`\`\``));
});
