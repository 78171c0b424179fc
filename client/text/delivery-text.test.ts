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

test("each delivery says what it does", () => {
  assert.equal(deliveryLabel("now", "tester", preview), "Now: interrupt research › ann and bob");
  assert.equal(deliveryLabel("now", "tester", { ...preview, interrupts: [] }), "Now");
  assert.equal(deliveryLabel("steer", "tester", preview), "Steer: at tester's next turn");
  assert.equal(deliveryLabel("steer", undefined, preview), "Steer: at the next turn");
  assert.equal(deliveryLabel("queue", "tester", preview), "Queue: after this run");
});

test("a message's detail says when it is delivered and who sees it, the manager's model too", () => {
  assert.equal(deliveryDetail(preview), "As soon as ann has stopped · seen by ann and tester");
  assert.equal(
    deliveryDetail({ ...preview, seenBy: ["tester"], seenByManager: true }),
    "As soon as ann has stopped · seen by tester, and by the manager's model",
  );
});

test("a waiting message says when it is delivered, and if only its recipient sees it", () => {
  const waiting = { id: "1", to: "tester", messages: ["x"] };
  assert.equal(waitingText({ ...waiting, delivery: "queue" }, "running"), "after this run");
  assert.equal(waitingText({ ...waiting, delivery: "queue" }, "awaitingTools"), "after this run");
  for (const status of ["idle", "paused"] as const)
    assert.equal(waitingText({ ...waiting, delivery: "queue" }, status), "at the next run");
  assert.equal(
    waitingText({ ...waiting, delivery: "steer", visibility: "target" }, "running"),
    "at tester's next turn, shown only to tester",
  );
});
