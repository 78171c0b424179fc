import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextItem } from "../engine/index.ts";
import { Told } from "./told.ts";

const user = (content: string): ContextItem => ({ role: "user", source: "user", content });
const own = (content: string, partial?: true): ContextItem => ({
  role: "assistant",
  content,
  calls: [],
  ...(partial === undefined ? {} : { partial }),
});
const result: ContextItem = { role: "tool", ref: "c1", name: "agent:read", output: "x", isError: false };

/** A session that was told "a", and has said "b". */
function told(): Told {
  const session = new Told();
  session.tell({ earlier: [], own: [user("a")] });
  session.say("b");
  return session;
}

test("a session is told what is new after what it was told and has said", () => {
  assert.deepEqual(told().news({ earlier: [], own: [user("a"), own("b"), user("c")] }), {
    items: [user("c")],
    cutAfter: undefined,
  });
  assert.deepEqual(told().news({ earlier: [], own: [user("a"), own("b")] })?.items, []);
});

test("what it said counts as a whole, with calls in between", () => {
  const session = told();
  session.say("!");
  const items = [user("a"), own("b"), result, own("!"), user("c")];
  assert.deepEqual(session.news({ earlier: [], own: items })?.items, [user("c")]);
});

test("it learns where its message was cut", () => {
  assert.equal(told().news({ earlier: [], own: [user("a"), own("b", true)] })?.cutAfter, "b");
});

for (const [what, items] of [
  ["an edited message of its own", [user("a"), own("B"), user("c")]],
  ["a dropped message of its own", [user("a"), user("c")]],
  ["an edited message of another", [user("A"), own("b"), user("c")]],
  ["a shorter conversation", []],
  ["a message of its own that it has not said", [user("a"), own("b"), user("c"), own("d")]],
] as const) {
  test(`a session does not go on after ${what}`, () => {
    assert.equal(told().news({ earlier: [], own: items }), undefined);
  });
}

test("the talk before a nested team is compared apart from the team's own", () => {
  const session = new Told();
  session.tell({ earlier: [user("x")], own: [user("a")] });
  session.say("b");
  const news = session.news({ earlier: [user("x"), user("y")], own: [user("a"), own("b"), user("c")] });
  assert.deepEqual(news?.items, [user("y"), user("c")]);
});

test("what is kept of it is enough to go on, and a handoff that it does not see is not missed", () => {
  const session = told();
  session.say(" over to you");
  session.unsay(" over to you");
  const again = new Told(session.record);
  assert.deepEqual(again.news({ earlier: [], own: [user("a"), own("b"), user("c")] })?.items, [user("c")]);
});
