import assert from "node:assert/strict";
import { test } from "node:test";
import { type Roster, rosterOf } from "../../common/participants/team-roster.ts";
import type { InterruptItem } from "../../common/timeline/items.ts";
import { interruptCause } from "./interrupt-cause.ts";
import { interruptText, receiptDetails } from "./interrupt-text.ts";

const agent = (name: string) => ({ name, kind: "assistant", activity: "idle", description: "" }) as const;
const empty: Roster = rosterOf({ participants: [] });
const members: Roster = {
  ...empty,
  participants: [agent("author"), agent("guard"), agent("research")],
  inner: new Map([["research", { ...empty, participants: [agent("alice")] }]]),
};

const item: InterruptItem = {
  kind: "interrupt",
  key: "i",
  at: "",
  by: "user",
  severity: "pause",
  state: "completed",
  grace: "now",
  speakers: ["author"],
  partials: [],
  tools: [],
  cancelled: [],
};

const receipt = (by: string, reason?: string, more: Partial<InterruptItem> = {}): string => {
  const made = { ...item, by, ...(reason === undefined ? {} : { reason }), ...more };
  return interruptText(made, interruptCause(made, members));
};

test("a receipt names who or what interrupted", () => {
  const causes: readonly (readonly [by: string, reason: string | undefined, text: string, rule?: true])[] = [
    ["user", "user_request", "You interrupted author"],
    ["user", undefined, "You interrupted author"],
    ["user-7", "user_request", "You interrupted author"],
    ["guard", "This is off topic.", "guard interrupted author"],
    ["alice", "This is off topic.", "alice interrupted author"],
    ["no passwords", "A password is about to be printed.", "Interrupted by the rule no passwords", true],
    ["watch", "Too many turns.", "Interrupted by a rule of the team", true],
    ["guard", "Too many turns.", "Interrupted by the rule guard", true],
    ["gone", "This is off topic.", "gone interrupted author"],
    ["host", "the host is shutting down", "Interrupted: the window was reloaded or closed, or the host restarted"],
    ["host", "the host is exiting", "Interrupted: the agent host stopped"],
    ["host", 'It needs the key "lab", which went with eve', 'Paused: it needs the key "lab", which went with eve'],
  ];
  for (const [by, reason, text, rule] of causes)
    assert.equal(receipt(by, reason, rule === undefined ? {} : { rule }), text);
});

test("what a rule did is named by its severity", () => {
  assert.equal(receipt("limit", "Enough.", { rule: true, severity: "stop" }), "Stopped by the rule limit");
  assert.equal(receipt("limit", "Enough.", { rule: true, severity: "reset" }), "Stopped and reset by the rule limit");
});

test("a participant that is named like the host or the user is itself", () => {
  for (const name of ["host", "user"]) {
    const made = { ...item, by: name, reason: "the host is shutting down" };
    const roster = { ...empty, participants: [agent(name)] };
    assert.equal(interruptText(made, interruptCause(made, roster)), `${name} interrupted author`);
  }
});

test("the details have the reason of a rule, and the cause of an interrupt without a requester", () => {
  const details = (by: string, reason: string, more: Partial<InterruptItem> = {}) => {
    const made = { ...item, by, reason, ...more };
    return receiptDetails(made, interruptCause(made, members)).slice(0, 2);
  };
  assert.deepEqual(details("limit", "Enough.", { rule: true }), [
    ["Requested by", "the rule limit, immediately"],
    ["Reason", "Enough."],
  ]);
  assert.deepEqual(details("host", "the host is exiting"), [
    ["Cause", "The agent host stopped"],
    ["Interrupted", "author"],
  ]);
});
