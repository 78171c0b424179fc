import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, DurableEvent } from "../../../../shared/contract/event.ts";
import { RefRenaming } from "./ref-renaming.ts";

const at = "2026-01-01T00:00:00.000Z";

/** The events of these drafts, each with the path of its nested team, after renaming. */
function renamed(...drafts: readonly (DurableDraft & { readonly path?: string[] })[]) {
  const renaming = new RefRenaming();
  const events = drafts.map((draft, index): DurableEvent => ({ seq: index + 1, at, ...draft }) as DurableEvent);
  return { events: events.map((event) => renaming.apply(event)), hasRenamed: renaming.hasRenamed, before: events };
}

const requested = (ref: string, ...path: string[]) => ({
  type: "tool/requested" as const,
  participant: "ann",
  calls: [{ ref, name: "pay", input: {} }],
  ...(path.length === 0 ? {} : { path }),
});

const executed = (ref: string, ...path: string[]) => ({
  type: "tool/executed" as const,
  ...{ ref, name: "pay", participant: "ann", output: "", isError: false },
  ...(path.length === 0 ? {} : { path }),
});

const refOf = (event: DurableEvent | undefined): string | undefined => {
  if (event?.type === "tool/requested") return event.calls[0]?.ref;
  return event !== undefined && "ref" in event ? event.ref : undefined;
};

test("events without equal refs stay as they are", () => {
  const { events, hasRenamed, before } = renamed(
    requested("a"),
    executed("a"),
    requested("b", "lab"),
    executed("b", "lab"),
  );

  assert.deepEqual([events, hasRenamed], [before, false]);
});

test("a ref that comes again, in a nested team or after a reset, is replaced, and so it is in the events of that call", () => {
  const { events } = renamed(
    requested("a"),
    requested("a", "lab"),
    executed("a", "lab"),
    executed("a"),
    { type: "team/reset" },
    requested("a"),
    executed("a"),
  );

  const [first, nested, nestedEnd, firstEnd, , second, secondEnd] = events.map(refOf);
  assert.deepEqual([first, firstEnd], ["a", "a"]);
  assert.equal(nested, nestedEnd);
  assert.equal(second, secondEnd);
  assert.equal(new Set([first, nested, second]).size, 3);
  const [call] = events[1]?.type === "tool/requested" ? events[1].calls : [];
  assert.equal(call?.id, "a", "the model still gets its own id");
});

test("a receipt names the call of the team that it says, and a scope the outermost call", () => {
  const tool = { ref: "a", name: "pay", participant: "ann", path: ["lab"], mayHaveHadEffects: true };
  const receipt = {
    interruptId: "i",
    wasRunning: true,
    severity: "pause" as const,
    ...{
      requestedAt: at,
      acknowledgedAt: at,
      quiescedAt: at,
      stopReason: null,
      partials: [],
      status: "paused" as const,
    },
    scope: { ref: "a" },
    abandonedTools: [tool],
    stopped: { participants: [], tools: [tool, { ...tool, path: undefined }] },
  };
  const { events } = renamed(requested("a"), requested("a", "lab"), { type: "interrupt/completed", ...receipt });

  const nested = refOf(events[1]);
  const completed = events[2];
  assert.ok(completed?.type === "interrupt/completed");
  assert.deepEqual(completed.scope, { ref: "a" });
  assert.deepEqual(
    [completed.abandonedTools, completed.stopped?.tools ?? []].map((tools) => tools.map(({ ref }) => ref)),
    [[nested], [nested, "a"]],
  );
});
