import { TeamScript } from "./team-script.ts";

/** A team with two nested teams, one of which has a nested team too. */
export function researchTeam(): TeamScript {
  return new TeamScript("Cache choice", {
    kind: "selector",
    participants: [
      { name: "author", description: "Explains and fixes the code" },
      {
        name: "research",
        kind: "team",
        team: { name: "Research", kind: "swarm", participants: [{ name: "alice" }, { name: "bob" }, { name: "eve" }] },
      },
      {
        name: "critics",
        kind: "societyOfMind",
        description: "Doubt what the others say",
        team: {
          name: "Critics",
          kind: "roundRobin",
          participants: [
            { name: "carol", description: "Asks for figures" },
            {
              name: "bench",
              kind: "team",
              team: { name: "Bench", kind: "roundRobin", participants: [{ name: "dora", description: "Measures" }] },
            },
          ],
        },
      },
    ],
  });
}

/** A team with a user participant. */
export function userTeam(): TeamScript {
  return new TeamScript("Release plan", {
    participants: [
      { name: "planner", description: "Plans the release" },
      { name: "alice", kind: "user", description: "Owns the product" },
    ],
  });
}
