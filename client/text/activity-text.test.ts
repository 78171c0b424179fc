import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, DurableEvent } from "../../shared/contract/event.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import { initialTeamState } from "../../shared/state/team-state.ts";
import { activityText, teamActivityText } from "./activity-text.ts";

const definition = {
  name: "Review",
  kind: "graph" as const,
  participants: [
    { name: "ann" },
    {
      name: "research",
      kind: "team" as const,
      team: { name: "R", kind: "graph" as const, participants: [{ name: "cid" }] },
    },
  ],
};

type Draft = DurableDraft & { readonly path?: string[] };

/** A running team after these events. */
function after(...drafts: readonly Draft[]) {
  const started: Draft = { type: "run/started", cause: "run", task: "Go." };
  return [started, ...drafts]
    .map((draft, at): DurableEvent => ({ seq: at + 1, at: "2026-03-02T10:40:00.000Z", ...draft }))
    .reduce(reduceTeam, initialTeamState("t", definition));
}

const turn = (from: string): Draft => ({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
const asks = (participant: string, ...names: readonly string[]): Draft => ({
  type: "tool/requested",
  participant,
  calls: names.map((name) => ({ ref: `${participant}-${name}`, name, input: {} })),
});

test("the tree and the status bar name the tools that a participant calls, as its chip does", () => {
  const state = after(turn("ann"), asks("ann", "runCommand", "readFile"));
  assert.equal(activityText(state, "ann"), "calling runCommand +1");
  assert.equal(activityText(state, "research"), "idle");
  assert.equal(teamActivityText(state), "ann, calling runCommand +1");
});

test("the status bar names the tool of a participant of a nested team, and counts several participants", () => {
  const nested = [
    turn("research"),
    { ...turn("cid"), path: ["research"] },
    { ...asks("cid", "look"), path: ["research"] },
  ];
  assert.equal(teamActivityText(after(...nested)), "research › cid, calling look");
  assert.equal(teamActivityText(after(...nested, turn("ann"))), "2 active");
  assert.equal(teamActivityText(after()), "");
});

test("a tool with an endless name does not fill the status bar", () => {
  assert.equal(teamActivityText(after(turn("ann"), asks("ann", "x".repeat(5000)))).length, "ann, ".length + 60);
});
