import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextItem } from "../../engine/model.ts";
import { callIds } from "./call-ids.ts";

const asked = (...calls: readonly { readonly ref: string; readonly id?: string }[]): ContextItem => ({
  role: "assistant",
  content: "",
  calls: calls.map((call) => ({ ...call, name: "look", input: {} })),
});

test("a call is sent under the model's own id, and under its ref if that id is taken or missing", () => {
  const refs = ["call_1_1_a", "call_1_2_a", "call_1_3_a", "call_9_1_a"] as const;
  const idOf = callIds([
    asked({ ref: refs[0], id: "call_0" }, { ref: refs[1], id: "call_0" }, { ref: refs[2] }),
    asked({ ref: refs[3], id: "call_0" }),
  ]);

  assert.deepEqual(refs.map(idOf), ["call_0", ...refs.slice(1)]);
});

test("an id that the API would refuse is replaced by one of 40 characters, the same for a call and its result", () => {
  const ref = "r".repeat(1_000_000);
  const idOf = callIds([asked({ ref })]);

  assert.match(idOf(ref), /^[0-9a-f]{40}$/);
  assert.equal(callIds([])(ref), idOf(ref));
});
