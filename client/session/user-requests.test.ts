import assert from "node:assert/strict";
import { test } from "node:test";
import { OpenTeams } from "../open-teams/open-teams.ts";
import { teamsHost } from "../testing/teams-host.ts";
import { askers, userRequests } from "./user-requests.ts";

const asks = (ref: string, participant: string, input: unknown) => ({
  type: "tool/interrupted" as const,
  ref,
  participant,
  name: "runCommand",
  input,
  approval: true,
});

test("the same request of several teams is one, and a question stands alone", async () => {
  const { host, happens } = teamsHost("a", "b");
  const teams = new OpenTeams(host);
  for (const teamId of ["a", "b"]) await teams.open({ teamId });
  happens("a", asks("c1", "ann", { command: "npm test" }));
  happens("a", asks("c2", "ann", { command: "rm -rf build" }));
  happens("b", asks("c1", "bob", { command: "npm test" }));
  const { approval, ...question } = asks("c2", "bob", { command: "npm test" });
  happens("b", { ...question, interrupt: "Which one?" });
  const requests = userRequests(teams.all).map((request) => {
    if (request.kind === "turn") return request.speaker;
    const { who, teams } = askers(request.calls);
    return `${request.kind}: ${who} in ${teams}, ${request.calls.length}`;
  });
  assert.equal(approval, true);
  assert.deepEqual(requests, [
    "approval: ann and bob in Team a, Team b, 2",
    "approval: ann in Team a, 1",
    "question: bob in Team b, 1",
  ]);
});
