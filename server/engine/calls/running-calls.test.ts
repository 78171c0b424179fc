import assert from "node:assert/strict";
import { test } from "node:test";
import { testTool } from "../testing/test-tool.ts";
import { RunningCalls } from "./running-calls.ts";
import { ToolExecutor } from "./tool-executor.ts";

/** Calls of a tool whose judgment and whose run end when told to. */
function heldCalls() {
  const judged = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const ran = Promise.withResolvers<string>();
  const look = testTool(
    "look",
    (_, { signal }) => {
      started.resolve();
      return Promise.race([
        ran.promise,
        new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("stopped"))),
      ]);
    },
    {
      effects: async () => {
        await judged.promise;
        return { paths: [], hosts: [] };
      },
    },
  );
  const executor = new ToolExecutor({ teamId: "t", participant: "ann", tools: [look], emit: () => {} });
  const soft = new AbortController();
  const { signal } = new AbortController();
  const outcome = new RunningCalls(executor, 60_000).run(
    { ref: "c1", name: "look", input: {} },
    { signal, soft: soft.signal },
  );
  return { judged, started: started.promise, ran, look, soft, outcome };
}

test("a call that is still being judged when its turn is asked to stop ends at once, and its tool never starts", async () => {
  const { judged, look, soft, outcome } = heldCalls();

  soft.abort();
  assert.deepEqual(await outcome, { kind: "interrupted", ref: "c1" });
  judged.resolve();
  await new Promise(setImmediate);
  assert.equal(look.runs.length, 0);
});

test("a tool that has started when its turn is asked to stop runs to its end", async () => {
  const { judged, started, ran, soft, outcome } = heldCalls();
  judged.resolve();
  await started;

  soft.abort();
  ran.resolve("done");
  assert.deepEqual(await outcome, { kind: "done", ref: "c1", output: "done", isError: false });
});
