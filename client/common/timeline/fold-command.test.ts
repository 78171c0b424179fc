import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, TeamEvent } from "../../../shared/contract/event.ts";
import { foldTimeline } from "./fold-timeline.ts";
import { EMPTY_TIMELINE } from "./timeline.ts";

const at = "2026-01-01T10:42:00.000Z";
const command = "npm run watch";
const end = { exit: { code: 1 } };

const requested: DurableDraft = {
  type: "tool/requested",
  participant: "ann",
  calls: [{ ref: "call_1", name: "runCommand", input: { command, background: true } }],
};
const started: DurableDraft = { type: "command/started", id: "cmd_2", ref: "call_1", participant: "ann", command };
const executed: DurableDraft = {
  type: "tool/executed",
  ref: "call_1",
  name: "runCommand",
  participant: "ann",
  output: "goes on",
  isError: false,
};
const ended: DurableDraft = { type: "command/ended", id: "cmd_2", command, end };

const itemsOf = (...drafts: readonly DurableDraft[]) =>
  foldTimeline(
    EMPTY_TIMELINE,
    drafts.map((draft, index) => ({ ...draft, seq: index + 1, at }) as TeamEvent),
  ).items;

test("the end of a background command is an item, once the call that started it has ended", () => {
  const [tools, ...others] = itemsOf(requested, started, executed, ended);
  assert.equal(tools?.kind, "tools");
  assert.deepEqual(
    others.map(({ key: _, ...item }) => item),
    [{ kind: "command", at, id: "cmd_2", command, end }],
  );
});

test("a command that ends within its call has no item of its own, as the call shows how it ended", () => {
  assert.deepEqual(
    itemsOf(requested, started, ended, executed).map(({ kind }) => kind),
    ["tools"],
  );
});

test("the end of a command whose start is not loaded is an item", () => {
  assert.deepEqual(
    itemsOf(ended).map(({ kind }) => kind),
    ["command"],
  );
});
