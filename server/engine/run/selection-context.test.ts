import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model } from "../model.ts";
import { testTeam } from "../testing/test-team.ts";

test("a retry that the orchestrator's model reports after an interrupt is not recorded", async () => {
  const asked = Promise.withResolvers<void>();
  let retried = false;
  const chief: Model = {
    label: "chief",
    async *stream(_, { signal, onRetry }) {
      onRetry({ attempt: 1, waitMs: 1, reason: "overloaded" });
      const aborted = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => {
        retried = true;
        onRetry({ attempt: 2, waitMs: 1, reason: "overloaded" });
        aborted.resolve();
      });
      asked.resolve();
      await aborted.promise;
      yield { type: "text", delta: "" };
    },
  };
  const { team, events } = testTeam({
    kind: "magentic",
    participants: [{ name: "ann", description: "Is ann." }],
    speakers: { ann: () => "ann", chief },
    magentic: { model: "chief" },
  });
  const run = team.run("t");
  await asked.promise;
  await team.interrupt();
  await run;
  assert.ok(retried);
  const retries = events.flatMap((event) => (event.type === "model/retry" ? [event.attempt] : []));
  assert.deepEqual(retries, [1]);
});
