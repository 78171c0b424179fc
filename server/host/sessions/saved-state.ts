import { invalidParams } from "../../../shared/contract/errors.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { SAVED_STATE_VERSION, SavedState } from "../../../shared/contract/saved-state.ts";
import { isRecord } from "../../../shared/json-record.ts";
import { safeParse } from "../../../shared/safe-parse.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";

/**
 * Validates a saved state for this team.
 * @throws GavelError `InvalidParams` for a newer version, an invalid state, another kind of team, or missing participants.
 */
export function readSavedState(value: unknown, team: TeamState, method = "team/loadState"): SavedState {
  const refuse = (problems: readonly Problem[]): never => {
    throw invalidParams(method, problems);
  };
  const version = isRecord(value) ? value["schemaVersion"] : undefined;
  if (typeof version !== "number" || version < 1) {
    return refuse([{ path: "state", message: "is not a saved state; give a result of team/saveState" }]);
  }
  if (version > SAVED_STATE_VERSION) {
    const message = `has version ${version}, and this Gavel supports up to ${SAVED_STATE_VERSION}; update Gavel`;
    return refuse([{ path: "state.schemaVersion", message }]);
  }
  const parsed = safeParse(SavedState, value);
  if (!parsed.success) {
    const problems = schemaProblems(SavedState, value, parsed.error.issues);
    return refuse(problems.map((problem) => toProblem({ ...problem, path: ["state", ...problem.path] })));
  }
  const problems = mismatches(parsed.data, team);
  return problems.length === 0 ? parsed.data : refuse(problems);
}

function mismatches({ team: saved, pendingTools, definition }: SavedState, team: TeamState): Problem[] {
  const problems: Problem[] = [];
  if (saved.kind !== team.kind) {
    problems.push({
      path: "state.team.kind",
      message: `is from a ${saved.kind} team, but this is a ${team.kind} team`,
    });
  }
  const names = (definition ?? team).participants.map(({ name }) => name);
  const callers = pendingTools.map(({ participant, path }) => path?.[0] ?? participant);
  const missing = [...new Set([...saved.participants, ...callers])].filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const message = `has ${missing.join(", ")}, not in this team; add them to it`;
    problems.push({ path: "state.team.participants", message });
  }
  return problems;
}
