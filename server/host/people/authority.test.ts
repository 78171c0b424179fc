import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { GavelError } from "../../../shared/contract/errors.ts";
import type { Role } from "../../../shared/contract/people.ts";
import * as requests from "../../../shared/contract/requests.ts";
import * as setup from "../../../shared/contract/setup.ts";
import { withRole } from "../../../shared/state/people.ts";
import { EMPTY_STATE, type TeamState } from "../../../shared/state/team-state.ts";
import { ACTS, assertAuthorized, leastRole } from "./authority.ts";
import { People } from "./people.ts";

const empty: TeamState = { teamId: "t", name: "T", kind: "roundRobin", participants: [], lastSeq: 0, ...EMPTY_STATE };
const roles: readonly (readonly [string, Role])[] = [
  ["ann", "chair"],
  ["bob", "member"],
  ["cat", "observer"],
];
const state = roles.reduce((team, [id, role]) => withRole(team, { id, name: id.toUpperCase() }, role), empty);

/** Why the user may not do that; undefined if they may. */
function refused(user: string, method: string, params?: unknown, team: TeamState = state): string | undefined {
  try {
    assertAuthorized(team, { user, method, params });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof GavelError && error.data.code === "NotAuthorized");
    return error.message;
  }
}

test("the table names every request that is about a team, and no other", () => {
  const ofTeams = Object.values({ ...requests, ...setup }).flatMap((message) => {
    if (typeof message !== "object" || !("params" in message)) return [];
    if (!("method" in message)) return [];
    const schema = JSON.stringify(z.toJSONSchema(message.params, { io: "input", unrepresentable: "any" }));
    return schema.includes('"teamId"') ? [message.method] : [];
  });
  assert.ok(ofTeams.length > 35, String(ofTeams.length));
  assert.deepEqual(Object.keys(ACTS).sort(), ofTeams.sort());
});

test("an observer reads, a member works with the team, and the chair does everything", () => {
  const may = (user: string): string[] => Object.keys(ACTS).filter((method) => refused(user, method) === undefined);
  assert.deepEqual(may("ann"), Object.keys(ACTS));
  assert.deepEqual(
    Object.keys(ACTS).filter((method) => !may("bob").includes(method)),
    [
      "team/rename",
      "team/editMessage",
      "team/changeParticipants",
      "team/reset",
      "team/rewind",
      "team/loadState",
      "team/loadStateFile",
      "team/delete",
      "team/setApprovers",
      "approvals/add",
    ],
  );
  for (const method of may("cat")) assert.equal(leastRole(method), "observer");
  assert.equal(refused("cat", "team/saveState"), undefined);
});

test("a refusal is one sentence that says who may do it", () => {
  assert.equal(
    refused("bob", "team/delete"),
    "Only the chair of this team, ANN, may delete it; ask ANN to do it, or for the chair.",
  );
  assert.equal(
    refused("cat", "team/run"),
    "You observe this team and may not run it; ask its chair, ANN, to make you a member.",
  );
});

test("a request that is not in the table is for the chair", () => {
  assert.equal(leastRole("team/new"), "chair");
  assert.match(refused("bob", "team/new") ?? "", /may do this \(team\/new\)/);
});

test("an interrupt that resets is a reset, and a look at the queue is no change", () => {
  assert.match(refused("bob", "team/interrupt", { severity: "reset" }) ?? "", /Only the chair/);
  assert.equal(refused("bob", "team/interrupt", { severity: "stop" }), undefined);
  assert.equal(refused("cat", "team/queue", {}), undefined);
  assert.match(refused("cat", "team/queue", { withdraw: [] }) ?? "", /You observe this team/);
});

test("a member changes waiting messages of their own, and moves them between those of others", () => {
  const message = (id: string, by: string) => ({ id, by, messages: [id], delivery: "queue" as const });
  const team = { ...state, queued: [message("a1", "ann"), message("b1", "bob"), message("a2", "ann")] };
  const mayQueue = (user: string, params: object): boolean => refused(user, "team/queue", params, team) === undefined;
  assert.ok(mayQueue("bob", { edit: { id: "b1", messages: ["x"] } }));
  assert.ok(mayQueue("bob", { withdraw: ["b1"] }));
  assert.ok(mayQueue("bob", { order: ["b1", "a1", "a2"] }));
  assert.ok(!mayQueue("bob", { order: ["b1", "a2", "a1"] }));
  assert.ok(!mayQueue("bob", { edit: { id: "a1", messages: ["x"] } }));
  assert.ok(!mayQueue("bob", { withdraw: ["b1", "a2"] }));
  assert.ok(mayQueue("ann", { withdraw: ["b1"], order: ["a2", "a1", "b1"] }));
});

test("in a team of one user there is nothing to note: its chair is who made it, or acts on it first", () => {
  let user = "ann";
  const connected = (id: string) => ({ id, name: id.toUpperCase() });
  const people = new People({ user: () => user, connected });
  assert.equal(people.roleIn(empty), "chair");
  people.assertMay(empty, "team/run", {});
  assert.equal(people.admission(empty), undefined);
  user = "bob";
  assert.equal(people.roleIn(empty), "member");
  assert.deepEqual(people.admission(empty), { user: { id: "bob", name: "BOB" }, chair: { id: "ann", name: "ANN" } });
  assert.throws(() => people.assertMay(empty, "team/delete", {}), /Only the chair of this team, ann/);
  people.created("t2");
  assert.equal(people.roleIn({ ...empty, teamId: "t2" }), "chair");
  user = "ann";
  assert.equal(people.roleIn({ ...empty, teamId: "t2" }), "member");
});

test("a member takes the chair only while no client of the chair is connected", () => {
  const there = new Set(["ann", "bob", "cat"]);
  let user = "bob";
  const connected = (id: string) => (there.has(id) ? { id, name: id } : undefined);
  const people = new People({ user: () => user, connected });
  const take = (): boolean => people.takesChair(state, { user, role: "chair" });
  assert.throws(take, /ANN has the chair and is connected; ask ANN to hand it over\./);
  assert.throws(() => people.takesChair(state, { user: "cat", role: "member" }), /Only the chair of this team, ANN/);
  there.delete("ann");
  assert.equal(take(), true);
  assert.throws(() => people.takesChair(state, { user: "cat", role: "chair" }), /Only the chair/);
  user = "ann";
  assert.equal(people.takesChair(state, { user: "bob", role: "chair" }), false);
});
