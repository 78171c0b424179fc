import { invalidParams } from "../../../shared/contract/errors.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { SAVED_STATE_VERSION, SavedState } from "../../../shared/contract/saved-state.ts";
import { isRecord } from "../../../shared/json-record.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";

/**
 * A state that this team can take on.
 * @throws GavelError `InvalidParams` that says why not: a newer version, no state at all, another kind of team, members missing.
 */
export function readSavedState(value: unknown, team: TeamState): SavedState {
  const refuse = (problems: readonly Problem[]): never => {
    throw invalidParams("team/loadState", problems);
  };
  const version = isRecord(value) ? value["schemaVersion"] : undefined;
  if (typeof version !== "number") {
    return refuse([{ path: "state", message: "is no saved state; give what team/saveState gave" }]);
  }
  if (version > SAVED_STATE_VERSION) {
    const message = `is of a newer Gavel (version ${version}, this one knows ${SAVED_STATE_VERSION}); update Gavel`;
    return refuse([{ path: "state.schemaVersion", message }]);
  }
  const parsed = SavedState.safeParse(value);
  if (!parsed.success) {
    const problems = schemaProblems(SavedState, value, parsed.error.issues);
    return refuse(problems.map((problem) => toProblem({ ...problem, path: ["state", ...problem.path] })));
  }
  const problems = mismatches(parsed.data, team);
  return problems.length === 0 ? parsed.data : refuse(problems);
}

function mismatches({ team: saved }: SavedState, team: TeamState): Problem[] {
  const problems: Problem[] = [];
  if (saved.kind !== team.kind) {
    problems.push({ path: "state.team.kind", message: `is of a ${saved.kind} team, and this is a ${team.kind} one` });
  }
  const names = team.participants.map(({ name }) => name);
  const missing = saved.participants.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const message = `has ${missing.join(", ")}, who ${missing.length === 1 ? "is" : "are"} not in this team; add them to it`;
    problems.push({ path: "state.team.participants", message });
  }
  return problems;
}
