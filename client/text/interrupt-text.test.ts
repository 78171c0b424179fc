import assert from "node:assert/strict";
import { test } from "node:test";
import type { InterruptPreview } from "../../shared/contract/inspection.ts";
import type { InterruptReceipt } from "../../shared/contract/team.ts";
import { previewText, sideEffectsText } from "./interrupt-text.ts";

const preview: InterruptPreview = { isRunning: true, participants: [], tools: [], streaming: [], waits: [] };
const run = { ref: "1", name: "runCommand", participant: "tester", mayHaveHadEffects: true };
const receipt: InterruptReceipt = {
  interruptId: "i",
  wasRunning: true,
  severity: "pause",
  requestedAt: "",
  acknowledgedAt: "",
  quiescedAt: "",
  stopReason: "USER_INTERRUPT",
  partials: [],
  abandonedTools: [],
  status: "paused",
};

test("the preview names partial messages, tools with what happens to them, and other active participants", () => {
  const text = previewText({
    ...preview,
    participants: [
      { participant: "research", activity: "thinking" },
      { participant: "ann", path: ["research"], activity: "speaking" },
      { participant: "tester", activity: "usingTools" },
      { participant: "bob", activity: "thinking" },
      { participant: "cat", activity: "idle" },
    ],
    streaming: [{ messageId: "m", source: "ann", path: ["research"], words: 1 }],
    tools: [
      { ...run, state: "running", onInterrupt: "abort" },
      { ...run, name: "readFile", mayHaveHadEffects: false, state: "running", onInterrupt: "abort" },
      { ...run, name: "deploy", state: "running", onInterrupt: "wait" },
      { ...run, name: "watch", state: "running", onInterrupt: "background" },
    ],
  });
  assert.deepEqual(text.split(" · "), [
    "research › ann: 1 word so far",
    "runCommand of tester stops, but may already have had effects",
    "readFile of tester stops (read-only)",
    "deploy of tester runs to completion",
    "watch of tester continues in the background",
    "bob: thinking",
  ]);
});

test("after an interrupt each tool that may have had effects is named once", () => {
  const abandoned = { ...run, ref: "2", name: "deploy", path: ["research"] };
  const text = sideEffectsText({
    ...receipt,
    abandonedTools: [abandoned],
    stopped: {
      participants: [],
      tools: [run, abandoned, { ...run, ref: "3", name: "read", mayHaveHadEffects: false }],
    },
  });
  assert.equal(
    text,
    "deploy of research › tester did not stop in time and may still be running. Its result will be kept. " +
      "runCommand of tester was interrupted, but may already have had effects.",
  );
});

test("an interrupt that stopped no tool names none", () => {
  assert.equal(sideEffectsText(receipt), undefined);
  assert.equal(sideEffectsText({ ...receipt, stopped: { participants: [], tools: [] } }), undefined);
});
