import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { conditionFaults } from "./condition-faults.ts";
import type { Fault } from "./fault.ts";
import { flowFaults } from "./flow-references.ts";
import { graphFaults } from "./graph-faults.ts";
import { handoffFaults } from "./handoff-faults.ts";
import { managerFaults } from "./manager-faults.ts";
import { modelSettingsFaults } from "./model-faults.ts";
import { participantKindFaults } from "./participant-kinds.ts";
import type { Path } from "./path.ts";
import { listOf, recordOf } from "./raw.ts";
import { referenceFaults } from "./references.ts";
import { type Scope, type Surroundings, scopeOf } from "./scope.ts";
import { participantSettingsFaults } from "./settings-faults.ts";
import { watchFaults } from "./watch-faults.ts";

/**
 * What is wrong with a definition beyond its shape: names that refer to nothing, and settings that do not go together, in the
 * team and in every team within it. Reads what it can of a definition of any shape.
 */
export const teamFaults = (input: unknown, around: Surroundings): Fault[] => faultsOf(recordOf(input), around, {});

function faultsOf(team: JsonRecord, around: Surroundings, outerModels: JsonRecord): Fault[] {
  const scope = scopeOf(team, around, outerModels);
  const participants = listOf(team["participants"]).map(recordOf);
  return [
    ...ownFaults(team, participants, scope),
    ...participants.flatMap(({ team: inner }, at) =>
      isRecord(inner) ? below(["participants", at, "team"], faultsOf(inner, around, scope.models)) : [],
    ),
  ];
}

/** Those of one team, by paths that begin at it. */
function ownFaults(team: JsonRecord, participants: readonly JsonRecord[], scope: Scope): Fault[] {
  return [
    ...referenceFaults(team, participants, scope),
    ...participants.flatMap((participant, at) =>
      below(
        ["participants", at],
        [...participantKindFaults(participant), ...participantSettingsFaults(participant, scope)],
      ),
    ),
    ...handoffFaults(team, participants, scope),
    ...conditionFaults(team, scope),
    ...watchFaults(team, scope),
    ...managerFaults(team, scope),
    ...flowFaults(team, scope.names),
    ...graphFaults(team),
    ...modelSettingsFaults(recordOf(team["models"])),
  ];
}

const below = (path: Path, faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
