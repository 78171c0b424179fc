import assert from "node:assert/strict";
import { test } from "node:test";
import { nameOf, roleOf } from "../../../shared/state/people.ts";
import { names, testTeam } from "../testing/test-team.ts";

const ann = { id: "ann", name: "Ann" };
const bob = { id: "bob", name: "Bob" };

function teamOfTwo() {
  let acting = "ann";
  const fixture = testTeam({ speakers: names("one"), maxTurns: 1, user: () => acting });
  fixture.team.admit(bob, ann);
  const as = (user: string) => {
    acting = user;
    return fixture.team;
  };
  return { ...fixture, as };
}

test("who starts the first run has the chair, without a further event", async () => {
  let acting = "ann";
  const { team, types, reopened } = testTeam({ speakers: names("one"), maxTurns: 1, user: () => acting });
  assert.equal(roleOf(team.state, "bob"), "chair");
  await team.run("t");
  acting = "bob";
  await team.run("t");
  assert.deepEqual([roleOf(team.state, "ann"), roleOf(team.state, "bob")], ["chair", "member"]);
  assert.ok(!types().includes("role/changed"));
  assert.equal(reopened().team.state.chair, "ann");
});

test("the second user is noted together with the chair, and each once, with a name that may change", () => {
  const { team, events } = teamOfTwo();
  team.admit(bob, ann);
  team.admit({ id: "bob", name: "Robert" }, ann);
  assert.deepEqual(
    events.map((event) => (event.type === "role/changed" ? [event.user?.name, event.role, event.by] : event.type)),
    [
      ["Ann", "chair", "ann"],
      ["Bob", "member", "bob"],
      ["Robert", "member", "bob"],
    ],
  );
  assert.equal(nameOf(team.state, "bob"), "Robert");
});

test("the chair is handed over whole: there is always exactly one", () => {
  const { team, as, reopened } = teamOfTwo();
  as("ann").setRole("bob", "observer");
  assert.equal(roleOf(team.state, "bob"), "observer");
  as("ann").setRole("bob", "chair");
  assert.deepEqual(
    team.state.people?.map(({ id, role }) => [id, role]),
    [
      ["ann", "member"],
      ["bob", "chair"],
    ],
  );
  assert.equal(reopened().team.state.chair, "bob");
  assert.throws(() => as("bob").setRole("bob", "member"), /the team needs a chair; give the chair to another user/);
  assert.throws(() => as("bob").setRole("eve", "member"), /no user eve has opened the team; its users are ann, bob/);
});

test("newcomers are members, or what the chair has said", () => {
  const { team, as, types } = teamOfTwo();
  as("ann").setRole(undefined, "observer");
  as("ann").setRole(undefined, "observer");
  team.admit({ id: "cat", name: "Cat" }, ann);
  assert.equal(roleOf(team.state, "cat"), "observer");
  as("ann").setRole(undefined, "member");
  assert.deepEqual([roleOf(team.state, "dan"), team.state.newcomers], ["member", undefined]);
  assert.equal(types().length, 5);
});

test("roles stay when the team is reset, loaded and rewound", async () => {
  const { team, as } = teamOfTwo();
  await as("bob").run("t");
  const saved = team.save();
  as("ann").reset();
  as("bob").load(saved);
  assert.deepEqual([roleOf(team.state, "ann"), roleOf(team.state, "bob")], ["chair", "member"]);
});
