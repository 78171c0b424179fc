import assert from "node:assert/strict";
import { it } from "node:test";
import * as z from "zod";
import { safeParse } from "./safe-parse.ts";

it("an object whose length cannot be compared is a problem, not an exception", () => {
  for (const schema of [z.string().min(1), z.object({ a: z.array(z.string()).max(3) })]) {
    for (const length of [{ toString: [-1] }, { valueOf: 1, toString: null }]) {
      const { success, error } = safeParse(schema, schema instanceof z.ZodString ? { length } : { a: { length } });
      assert.equal(success, false);
      assert.match(error?.issues[0]?.message ?? "", /"length" is no number/);
    }
  }
});

it("anything else is what the schema says", () => {
  assert.deepEqual(safeParse(z.string().max(3), "abc"), { success: true, data: "abc" });
  assert.equal(safeParse(z.string().max(3), "abcd").error?.issues[0]?.code, "too_big");
});
