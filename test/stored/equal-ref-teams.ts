import type { ParticipantDefinition, PracticeLine, TeamDefinition } from "../../shared/contract/definition.ts";

/** A chief, and after it two participants at the same time; the first of these calls a tool in each of its turns. */
function callerBeside(caller: string, tool: string, other: ParticipantDefinition): TeamDefinition {
  const calls = [1, 2].flatMap((turn): PracticeLine[] => [{ calls: [{ tool, input: { by: caller, turn } }] }, "done"]);
  return {
    name: caller,
    kind: "graph",
    participants: [{ name: "chief" }, { name: caller, tools: [tool] }, other],
    graph: { edges: [caller, other.name].map((to) => ({ from: "chief", to })) },
    models: { default: { provider: "practice", pace: 200, lines: { chief: ["go", "go"], [caller]: calls } } },
  };
}

const nested = (name: string, team: TeamDefinition): ParticipantDefinition => ({ name, kind: "team", team });

/** Ann calls the tool, and so do Eve in a nested team and Dan in a team within that. */
const threeCallers = (tool: string): TeamDefinition => {
  const deep = nested("deep", callerBeside("dan", tool, { name: "listener" }));
  return callerBeside("ann", tool, nested("lab", callerBeside("eve", tool, deep)));
};

/**
 * The teams of a stored state in which a team, a nested team and one within that have equal refs: they were taken from the
 * models' ids up to 0.3.0.
 */
export const equalRefTeams = {
  /** Three calls wait for approval. */
  waiting: threeCallers("pay"),
  /** The same after a reset, before which calls with these refs had been answered. */
  afterReset: threeCallers("pay"),
  /** The host died while three tools ran. */
  killed: threeCallers("launch"),
} satisfies Record<string, TeamDefinition>;
