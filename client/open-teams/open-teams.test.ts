import assert from "node:assert/strict";
import { test } from "node:test";
import { said, teamsHost } from "../testing/teams-host.ts";
import { ActiveTeam } from "./active-team.ts";
import { OpenTeams } from "./open-teams.ts";
import { pinnedTeam } from "./pinned-team.ts";
import { UnreadMessages } from "./unread-messages.ts";

async function threeTeams() {
  const { host, happens } = teamsHost("a", "b", "c");
  const teams = new OpenTeams(host);
  for (const teamId of ["a", "b", "c"]) await teams.open({ teamId });
  const ids = (): string => teams.all.map(({ state }) => state?.teamId).join("");
  return { happens, teams, ids, active: () => teams.active?.state?.teamId };
}

const lengthOf = (teams: OpenTeams, teamId: string): number | undefined => teams.find(teamId)?.state?.threadLength;

test("a team that is opened is shown beside the others, which are kept up to date", async () => {
  const { teams, happens, ids, active } = await threeTeams();
  assert.equal(ids(), "abc");
  assert.equal(active(), "c");
  happens("a", said("Hello"));
  happens("c", said("Hi"));
  happens("a", said("Again"));
  assert.deepEqual([lengthOf(teams, "a"), lengthOf(teams, "b"), lengthOf(teams, "c")], [2, 0, 1]);
});

test("a team that is open already is not opened twice, also when that is asked for twice at once", async () => {
  const { teams, ids, active } = await threeTeams();
  await teams.open({ teamId: "a" });
  assert.deepEqual([ids(), active()], ["abc", "a"]);
  const other = new OpenTeams(teamsHost("a").host);
  const [first, second] = await Promise.all([other.open({ teamId: "a" }), other.open({ teamId: "a" })]);
  assert.equal(first, second);
  assert.equal(other.all.length, 1);
});

test("a team that cannot be opened changes nothing", async () => {
  const { teams, ids, active } = await threeTeams();
  await assert.rejects(teams.open({ teamId: "none" }), /There is no team "none"/);
  assert.deepEqual([ids(), active()], ["abc", "c"]);
});

test("closing the active team shows the one that was active before it", async () => {
  const { teams, active } = await threeTeams();
  const a = teams.find("a");
  assert.ok(a);
  teams.activate(a);
  teams.close(a);
  assert.equal(active(), "c");
  for (const session of teams.all) teams.close(session);
  assert.equal(active(), undefined);
});

test("what shows the active team follows it, and is told nothing about others", async () => {
  const { teams, happens } = await threeTeams();
  const shown: unknown[] = [];
  const active = new ActiveTeam(teams);
  active.onShown((mirror) => shown.push(mirror?.state.teamId));
  active.onEvents((events) => shown.push(events.length));
  happens("a", said("Not shown"));
  happens("c", said("Shown"));
  const a = teams.find("a");
  assert.ok(a);
  teams.activate(a);
  happens("a", said("Shown now"));
  for (const session of teams.all) teams.close(session);
  assert.deepEqual(
    shown,
    [1, "a", 1, "c", "b", undefined].filter((each) => shown.includes(each)),
  );
  assert.deepEqual(shown.slice(0, 3), [1, "a", 1]);
  assert.equal(shown.at(-1), undefined);
});

test("what a user began to do concerns the team of that time, also after a switch", async () => {
  const { teams } = await threeTeams();
  const begun = pinnedTeam(teams);
  assert.equal(begun()?.state?.teamId, "c");
  const a = teams.find("a");
  assert.ok(a);
  teams.activate(a);
  assert.equal(begun()?.state?.teamId, "c");
  assert.equal(pinnedTeam(teams)()?.state?.teamId, "a");
});

test("messages are unread in teams that are not seen, until they are", async () => {
  const { teams, happens } = await threeTeams();
  const unread = new UnreadMessages(teams, (session) => session === teams.active);
  happens("a", said("One"));
  happens("a", said("Two"));
  happens("c", said("Seen"));
  const counts = (): readonly number[] => teams.all.map((session) => unread.of(session));
  assert.deepEqual(counts(), [2, 0, 0]);
  const a = teams.find("a");
  assert.ok(a);
  teams.activate(a);
  assert.deepEqual(counts(), [0, 0, 0]);
});

test("a team that is closed while it is opened again is open, and kept up to date", async () => {
  const { teams, happens } = await threeTeams();
  const a = teams.find("a");
  assert.ok(a);
  const again = teams.open({ teamId: "a" });
  teams.close(a);
  await again;
  happens("a", said("Hello"));
  assert.equal(lengthOf(teams, "a"), 1);
});
