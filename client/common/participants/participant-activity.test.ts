import assert from "node:assert/strict";
import { test } from "node:test";
import type { DurableDraft, DurableEvent } from "../../../shared/contract/event.ts";
import { reduceTeam } from "../../../shared/state/reducer.ts";
import { initialTeamState } from "../../../shared/state/team-state.ts";
import { activityOf } from "./participant-activity.ts";

const definition = {
  name: "Review",
  kind: "graph" as const,
  participants: [
    { name: "ann" },
    { name: "bob" },
    {
      name: "research",
      kind: "team" as const,
      team: {
        name: "Research",
        kind: "graph" as const,
        participants: [{ name: "cid" }, { name: "dora" }, { name: "eve", kind: "user" as const }],
      },
    },
  ],
};

type Draft = DurableDraft & { readonly path?: string[] };

/** What each participant does after these events, as its chip and its tooltip say. */
function shown(...drafts: readonly Draft[]): Record<string, string> {
  const events = drafts.map((draft, at): DurableEvent => ({ seq: at + 1, at: "2026-03-02T10:40:00.000Z", ...draft }));
  const state = events.reduce(reduceTeam, initialTeamState("t", definition));
  return Object.fromEntries(
    state.participants.flatMap(({ name }) => {
      const activity = activityOf(state, name, events);
      if (activity === null) return [];
      return [[name, activity.text === activity.full ? activity.text : `${activity.text} (${activity.full})`]];
    }),
  );
}

const run: Draft = { type: "run/started", cause: "run", task: "Go." };
const turn = (from: string): Draft => ({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
const writes = (source: string): Draft => ({ type: "message/started", messageId: `m-${source}`, source });
const asks = (participant: string, ...names: readonly string[]): Draft => ({
  type: "tool/requested",
  participant,
  calls: names.map((name) => ({ ref: `${participant}-${name}`, name, input: {} })),
});
const starts = (ref: string): Draft => ({ type: "tool/started", ref });
const gives = (participant: string, name: string): Draft => ({
  type: "tool/executed",
  ref: `${participant}-${name}`,
  name,
  participant,
  output: "",
  isError: false,
});
const waits = (participant: string, name: string, approval = true): Draft => ({
  type: "tool/interrupted",
  ref: `${participant}-${name}`,
  name,
  participant,
  input: {},
  ...(approval ? { approval: true as const } : { interrupt: "Which one?" }),
});
const within = (draft: Draft): Draft => ({ ...draft, path: ["research"] });
const ended = (code: "success" | "error" | "interrupted" = "success"): Draft => ({
  type: "run/ended",
  stopReason: null,
  status: { code },
  usage: { prompt: 0, completion: 0, total: 0 },
  ...(code === "interrupted" ? {} : { resets: true as const }),
});

test("participants that are active at the same time say what each of them does", () => {
  const both = [run, turn("ann"), turn("bob")];
  assert.deepEqual(shown(...both), { ann: "thinking", bob: "thinking" });
  assert.deepEqual(shown(...both, writes("ann"), asks("bob", "readFile")), { ann: "writing", bob: "calling readFile" });
});

test("of several calls those under way are named, and then it thinks again", () => {
  const calls = [run, turn("ann"), asks("ann", "readFile", "searchText", "runCommand"), starts("ann-readFile")];
  assert.deepEqual(shown(...calls), { ann: "calling readFile" });
  assert.deepEqual(shown(...calls, starts("ann-runCommand")), {
    ann: "calling readFile +1 (calling readFile, runCommand)",
  });
  const rest = [gives("ann", "readFile"), gives("ann", "searchText"), gives("ann", "runCommand")];
  assert.deepEqual(shown(...calls, ...rest), { ann: "thinking" });
});

test("a call that was given up, whose late result is still expected, is not named", () => {
  const calls = [run, turn("ann"), asks("ann", "readFile", "runCommand"), starts("ann-readFile")];
  const given: Draft = { type: "tool/abandoned", ref: "ann-readFile", name: "readFile", participant: "ann" };
  assert.deepEqual(shown(...calls, starts("ann-runCommand"), given), { ann: "calling runCommand" });
  assert.deepEqual(shown(...calls, given), { ann: "calling runCommand" });
});

test("a call that waits is named before those that run, an approval before a question", () => {
  const calls = [run, turn("ann"), asks("ann", "pay", "ask", "look"), starts("ann-look"), waits("ann", "ask", false)];
  assert.deepEqual(shown(...calls), { ann: "asks you (asks you: ask)" });
  assert.deepEqual(shown(...calls, waits("ann", "pay"), ended("interrupted")), {
    ann: "approval needed (approval needed: pay)",
  });
});

test("a result that waits for review is no question", () => {
  const reviewed: Draft = { ...waits("ann", "look", false), interrupt: { result: "seen" }, review: true } as Draft;
  assert.deepEqual(shown(run, turn("ann"), asks("ann", "look"), reviewed), {
    ann: "result to review (result to review: look)",
  });
});

test("a nested team says who does what in it", () => {
  const nested = [run, turn("research"), within(run), within(turn("cid"))];
  assert.deepEqual(shown(run, turn("research")), { research: "running" });
  assert.deepEqual(shown(...nested), { research: "cid: thinking" });
  assert.deepEqual(shown(...nested, within(turn("dora")), within(asks("dora", "look")), turn("ann")), {
    ann: "thinking",
    research: "2 active (cid: thinking, dora: calling look)",
  });
  assert.deepEqual(shown(...nested, within(asks("cid", "pay")), within(waits("cid", "pay"))), {
    research: "approval needed (approval needed: cid: pay)",
  });
});

test("a nested team in which it is the user's turn waits for the user", () => {
  const asked: Draft = { type: "userInput/requested", participant: "eve", through: ["research"] };
  assert.deepEqual(shown(run, turn("research"), asked, ended("interrupted")), {
    research: "waiting for you (waiting for you: you speak as eve)",
  });
});

test("a participant whose turn failed says so until the team runs again", () => {
  const failed: readonly Draft[] = [
    run,
    turn("ann"),
    turn("bob"),
    { type: "reasoning/conclusion", from: "ann", correlation_id: ["turn-ann"], interrupted: true },
    { type: "reasoning/conclusion", from: "bob", correlation_id: ["turn-bob"], interrupted: true },
    { type: "error", message: "The endpoint is down.", participant: "bob", data: {} },
    ended("error"),
  ];
  assert.deepEqual(shown(...failed), { bob: "failed" });
  assert.deepEqual(shown(...failed, run), {});
});

test("the name of a tool that a model made up hides nothing", () => {
  assert.deepEqual(shown(run, turn("ann"), asks("ann", "read\u202eFile")), { ann: "calling read⟨U+202E⟩File" });
});
