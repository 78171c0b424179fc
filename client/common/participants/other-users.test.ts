import assert from "node:assert/strict";
import { test } from "node:test";
import type { Person } from "../../../shared/contract/people.ts";
import { displayName, isUser, nameInSentence } from "./participants.ts";
import { rosterOf } from "./team-roster.ts";

const person = (id: string, name: string): Person => ({ id, name, role: "member" });
const ann = { name: "ann", kind: "assistant", activity: "idle" } as const;
const roster = (...people: Person[]) => rosterOf({ participants: [ann], people });

test("another user of the team is shown by name, and the user of the window as you", () => {
  const members = roster(person("user", "Me"), person("b1", "Bob Doe"));
  assert.deepEqual(
    ["user", "b1", "ann", "unknown"].map((source) => displayName(source, members)),
    ["You", "Bob Doe", "ann", "You"],
  );
  assert.deepEqual([nameInSentence("user", members), nameInSentence("b1", members)], ["you", "Bob Doe"]);
  assert.ok(isUser("b1", members));
});

test("a name that could be taken for somebody else has the id with it, and hides nothing", () => {
  const members = roster(person("b1", "You"), person("b2", " Ann"), person("b3", "Cat"), person("b4", "cat"));
  assert.deepEqual(
    ["b1", "b2", "b3", "b4"].map((source) => displayName(source, members)),
    ["You (b1)", "⟨1 space⟩Ann (b2)", "Cat (b3)", "cat (b4)"],
  );
  assert.doesNotMatch(displayName("b5", roster(person("b5", "B\u202eob"))), /\u202e/u);
});

test("it is the same in a nested team", () => {
  const inner = { participants: [], people: [] };
  const group = { name: "group", kind: "team", activity: "idle" } as const;
  const members = rosterOf({ participants: [group], people: [person("b1", "Bob")], inner: { group: inner as never } });
  const nested = members.inner.get("group");
  assert.ok(nested !== undefined);
  assert.equal(displayName("b1", nested), "Bob");
});
