import assert from "node:assert/strict";
import { test } from "node:test";
import type { MessagePreview } from "../../shared/contract/inspection.ts";
import { deliveryDetail, deliveryLabel, waitingText } from "./delivery-text.ts";

const preview: MessagePreview = {
  when: { code: "afterInterrupt", text: "As soon as ann has stopped." },
  interrupts: [{ participant: "research" }, { participant: "ann", path: ["research"] }, { participant: "bob" }],
  seenBy: ["ann", "tester"],
  seenByManager: false,
};

test("each way of giving a message says what it does", () => {
  assert.equal(deliveryLabel("now", "tester", preview), "Now: interrupt research › ann and bob and ask");
  assert.equal(deliveryLabel("now", "tester", { ...preview, interrupts: [] }), "Now");
  assert.equal(deliveryLabel("steer", "tester", preview), "Steer: at tester's next turn");
  assert.equal(deliveryLabel("queue", "tester", preview), "Queue: after this run");
});

test("a message's detail says when it is heard and who sees it, the model that leads among them", () => {
  assert.equal(deliveryDetail(preview), "As soon as ann has stopped · seen by ann and tester");
  assert.equal(
    deliveryDetail({ ...preview, seenBy: ["tester"], seenByManager: true }),
    "As soon as ann has stopped · seen by tester, and by the model that leads the team",
  );
});

test("a message that waits says for what, and when only its target sees it", () => {
  const waiting = { id: "1", to: "tester", messages: ["x"] };
  assert.equal(waitingText({ ...waiting, delivery: "queue" }), "after this run");
  assert.equal(
    waitingText({ ...waiting, delivery: "steer", visibility: "target" }),
    "at tester's next turn, only tester sees it",
  );
});
