import assert from "node:assert/strict";
import { it } from "node:test";
import { agentFinding } from "./agent-finding.ts";

const found = (state: "works" | "wrong" | "refused") =>
  ({ name: "outer/ann", kind: "a2a", state, text: "A sentence." }) as const;

it("a row names the agent and has its sentence; what is wrong with it is fixed in the team file", () => {
  const wrong = agentFinding(found("wrong"), "file:///t.team.yaml");
  assert.partialDeepStrictEqual(wrong, { what: "Agent outer/ann", text: "A sentence.", state: "wrong" });
  const commands: unknown[] = [];
  wrong.fix?.run(async (...command) => void commands.push(command));
  assert.deepEqual([wrong.fix?.label, commands], ["Edit Team File", [["gavel.editTeamFile", "file:///t.team.yaml"]]]);
  assert.equal(agentFinding(found("wrong"), undefined).fix, undefined);
});

it("an agent that works needs nothing, and one that was not allowed is asked about by another check", () => {
  assert.deepEqual(agentFinding(found("works"), "file:///t.team.yaml"), {
    what: "Agent outer/ann",
    text: "A sentence.",
    state: "works",
  });
  const { state, fix } = agentFinding(found("refused"), undefined);
  assert.deepEqual([state, fix?.label, fix?.checkAgain], ["wrong", "Check Again", true]);
});
