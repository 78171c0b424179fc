import assert from "node:assert/strict";
import { it } from "node:test";
import { TurnReports } from "./turn-reports.ts";

const ID = "msg_0123456789abcdef";
const none = (): boolean => false;
const chunk = (delta: string, messageId = ID) => ({ type: "message/chunk", messageId, source: "ann", delta });

it("what a worker reports is the participant's own, in its turn, whoever it names", () => {
  const reports = new TurnReports("ann", "turn_1");
  const given = [
    { type: "message/started", messageId: ID, source: "bob" },
    { ...chunk("hello"), source: "user" },
    { type: "reasoning/thought", from: "bob", correlation_id: ["turn_of_bob"], message: "hm" },
    { type: "plan/updated", participant: "bob", items: [], seq: 7, runId: "run_of_others", path: ["inner"] },
  ];
  assert.deepEqual(
    given.map((each) => reports.draft(each, none)),
    [
      { type: "message/started", messageId: ID, source: "ann" },
      { type: "message/chunk", messageId: ID, source: "ann", delta: "hello" },
      { type: "reasoning/thought", from: "ann", correlation_id: ["turn_1"], message: "hm" },
      { type: "plan/updated", participant: "ann", items: [] },
    ],
  );
});

it("what no turn of it could report is left out", () => {
  const reports = new TurnReports("ann", "turn_1");
  const usage = { prompt: 0, completion: 0, total: 0 };
  const executed = { type: "tool/executed", ref: "call_1", name: "pay", participant: "ann", output: 1, isError: false };
  for (const given of [
    null,
    "text",
    [],
    { type: "message/chunk" },
    chunk("to a message that was not begun"),
    { type: "message/started", messageId: "msg_of_another", source: "ann" },
    { type: "message/added", message: { id: "m", type: "TextMessage", source: "user", content: "", createdAt: "" } },
    { type: "run/ended", stopReason: null, status: { code: "success" }, usage },
    { type: "tool/started", ref: "call_1", approved: { reason: "by itself" } },
    { type: "tool/requested", participant: "ann", calls: [] },
    { type: "people/changed", by: "ann" },
    { type: "interrupt/acknowledged", interruptId: "i" },
    executed,
  ])
    assert.equal(reports.draft(given, none), undefined, JSON.stringify(given));
  assert.partialDeepStrictEqual(
    reports.draft(executed, (ref) => ref === "call_1"),
    executed,
  );
});

it("a message cannot be longer than an answer, nor be begun twice", () => {
  const reports = new TurnReports("ann", "turn_1");
  const begin = { type: "message/started", messageId: ID, source: "ann" };
  assert.ok(reports.draft(begin, none));
  assert.equal(reports.draft(begin, none), undefined);
  const million = "x".repeat(1_000_000);
  assert.deepEqual(
    [million, million, "x"].map((delta) => reports.draft(chunk(delta), none) !== undefined),
    [true, true, false],
  );
});
