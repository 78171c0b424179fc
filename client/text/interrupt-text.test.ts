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

test("what would be stopped is told: words so far, tools with what becomes of them, and who else is at work", () => {
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
    "runCommand of tester is stopped, and may have had effects already",
    "readFile of tester is stopped; it only reads",
    "deploy of tester is let finish",
    "watch of tester runs on in the background",
    "bob: thinking",
  ]);
});

test("after an interrupt the tools that may have done something are named, each once", () => {
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
    "deploy of research › tester did not stop and may still be at work; its late result is kept. " +
      "runCommand of tester was cut short and may have had effects already.",
  );
});

test("an interrupt that undid nothing says nothing of tools", () => {
  assert.equal(sideEffectsText(receipt), undefined);
  assert.equal(sideEffectsText({ ...receipt, stopped: { participants: [], tools: [] } }), undefined);
});
