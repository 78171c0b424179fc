import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { checkConditions } from "./condition-checks.ts";
import { type DefinitionScope, scopeOf, type ValidationContext } from "./definition-scope.ts";
import { checkGraph } from "./graph-checks.ts";
import { checkGraphNames } from "./graph-name-checks.ts";
import { checkHandoffs } from "./handoff-checks.ts";
import { checkInterruptRules } from "./interrupt-rule-checks.ts";
import { checkManager } from "./manager-checks.ts";
import { checkModelSettings } from "./model-checks.ts";
import { checkParticipantKind } from "./participant-kinds.ts";
import { checkParticipantSettings } from "./participant-settings-checks.ts";
import type { Path } from "./path.ts";
import { checkReferences } from "./reference-checks.ts";
import { asList, asRecord } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/**
 * Checks a definition beyond its shape, nested teams included: unknown names, and settings that contradict each other. Works
 * on input of any shape.
 */
export const checkTeam = (input: unknown, around: ValidationContext): ValidationProblem[] =>
  problemsIn(asRecord(input), around, {});

function problemsIn(team: JsonRecord, around: ValidationContext, outerModels: JsonRecord): ValidationProblem[] {
  const scope = scopeOf(team, around, outerModels);
  const participants = asList(team["participants"]).map(asRecord);
  return [
    ...checkOneTeam(team, participants, scope),
    ...participants.flatMap(({ team: inner }, at) =>
      isRecord(inner)
        ? below(
            ["participants", at, "team"],
            [...outermostOnly(inner), ...problemsIn(inner, { ...around, servers: scope.servers ?? [] }, scope.models)],
          )
        : [],
    ),
  ];
}

/** The problems of one team without its nested teams. Paths are relative to the team. */
function checkOneTeam(
  team: JsonRecord,
  participants: readonly JsonRecord[],
  scope: DefinitionScope,
): ValidationProblem[] {
  return [
    ...checkReferences(team, participants, scope),
    ...participants.flatMap((participant, at) =>
      below(
        ["participants", at],
        [...checkParticipantKind(participant), ...checkParticipantSettings(participant, scope)],
      ),
    ),
    ...checkHandoffs(team, participants, scope),
    ...checkConditions(team, scope),
    ...checkInterruptRules(team, scope),
    ...checkManager(team, scope),
    ...checkGraphNames(team, scope.names),
    ...checkGraph(team),
    ...checkModelSettings(asRecord(team["models"])),
  ];
}

/** One list of servers for all teams, so that a name means one server, and the same approvers for all calls. */
const outermostOnly = (team: JsonRecord): ValidationProblem[] =>
  ["mcpServers", "approvals"]
    .filter((key) => team[key] !== undefined)
    .map((key) => ({ path: [key], message: "belongs to the outermost team, for all teams within it; move it there" }));

const below = (path: Path, problems: readonly ValidationProblem[]): ValidationProblem[] =>
  problems.map((problem) => ({
    path: [...path, ...problem.path],
    // Made when it is read, as the other one is.
    get message() {
      return problem.message;
    },
    ...(problem.on === undefined ? {} : { on: problem.on }),
  }));
