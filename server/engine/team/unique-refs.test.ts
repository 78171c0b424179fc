import assert from "node:assert/strict";
import { test } from "node:test";
import type { SavedState, TranscriptEntry } from "../../../shared/contract/saved-state.ts";
import type { PendingTool } from "../../../shared/contract/team.ts";
import { names, testTeam } from "../testing/test-team.ts";
import { withUniqueRefs } from "./unique-refs.ts";

const empty = testTeam({ speakers: names("ann") }).team.save();

/** A saved state in which Ann called each ref once, and has the results of all that are not pending. */
function saved(refs: readonly string[], pendingTools: PendingTool[], inner?: Record<string, SavedState>): SavedState {
  const calls = refs.map((ref) => ({ ref, name: "pay", input: ref }));
  const waiting = pendingTools.filter(({ path }) => path === undefined).map(({ ref }) => ref);
  const results = refs
    .filter((ref) => !waiting.includes(ref))
    .map((ref): TranscriptEntry => ({ kind: "result", ref, output: "", isError: false }));
  const transcript: TranscriptEntry[] = [{ kind: "calls", participant: "ann", calls }, ...results];
  return { ...empty, transcript, pendingTools, ...(inner === undefined ? {} : { inner }) };
}

const waits = (ref: string, ...path: string[]): PendingTool => ({
  ref,
  name: "pay",
  participant: "ann",
  input: ref,
  approval: true,
  ...(path.length === 0 ? {} : { path }),
});

function renamed(state: SavedState, ...taken: readonly string[]): SavedState {
  let count = 0;
  return withUniqueRefs(state, { taken: new Set(taken), newRef: () => `new${++count}` });
}

test("a state with different refs stays as it is", () => {
  const state = saved(["a", "b"], [waits("b"), waits("c", "lab")], { lab: saved(["c"], [waits("c")]) });

  assert.deepEqual(renamed(state), state);
});

test("equal refs of nested teams are replaced in every place, the outermost call keeps its own", () => {
  const deep = saved(["call_0"], [waits("call_0")]);
  const lab = saved(["call_1", "call_0"], [waits("call_0"), waits("call_0", "deep")], { deep });
  const state = saved(["call_0", "call_1"], [waits("call_1"), waits("call_0", "lab"), waits("call_0", "lab", "deep")], {
    lab,
  });

  const unique = renamed(state);

  const waiting = ({ pendingTools }: SavedState) => pendingTools.map(({ ref, path = [] }) => [...path, ref].join("/"));
  assert.deepEqual(waiting(unique), ["call_1", "lab/new2", "lab/deep/new3"]);
  assert.deepEqual(unique.inner?.["lab"] && waiting(unique.inner["lab"]), ["new2", "deep/new3"]);
  assert.deepEqual(unique.transcript, state.transcript);
  assert.deepEqual(unique.inner?.["lab"]?.transcript, [
    {
      kind: "calls",
      participant: "ann",
      calls: [
        { ref: "new1", name: "pay", input: "call_1", id: "call_1" },
        { ref: "new2", name: "pay", input: "call_0", id: "call_0" },
      ],
    },
    { kind: "result", ref: "new1", output: "", isError: false },
  ]);
});

test("refs that are taken or too long are replaced, and a pending call that comes twice is one call", () => {
  const long = "r".repeat(1_000_000);
  const unique = renamed(saved(["a", long], [waits("a"), waits("a"), waits(long)]), "a");

  assert.deepEqual(
    unique.pendingTools.map(({ ref }) => ref),
    ["new1", "new2"],
  );
});
