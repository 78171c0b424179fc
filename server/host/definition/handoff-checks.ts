import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { handoffToolName } from "../../engine/participants/handoff-tools.ts";
import type { DefinitionScope } from "./definition-scope.ts";
import { nearest } from "./nearest.ts";
import type { Path } from "./path.ts";
import { asList, asRecord, asText } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** Checks handoffs: unknown, own and repeated targets, tools of the same name, and a swarm without handoffs. */
export function checkHandoffs(
  team: JsonRecord,
  participants: readonly JsonRecord[],
  { names }: DefinitionScope,
): ValidationProblem[] {
  const targets = [...names, ...conditionTargets(team["termination"])];
  return [
    ...participants.flatMap((participant, at) => checkParticipant(participant, ["participants", at], targets)),
    ...checkSwarm(team, participants),
  ];
}

function checkParticipant(participant: JsonRecord, path: Path, targets: readonly string[]): ValidationProblem[] {
  const self = asText(participant["name"]);
  const taken = new Map(toolNames(participant).map((tool) => [tool, `the tool "${tool}"`]));
  const seen = new Set<string>();
  return asList(participant["handoffs"]).flatMap((handoff, at): ValidationProblem[] => {
    const target = asText(isRecord(handoff) ? handoff["target"] : handoff);
    if (target === undefined) return [];
    const here = [...path, "handoffs", at, ...(isRecord(handoff) ? ["target"] : [])];
    const problem = (message: string): ValidationProblem[] => [{ path: here, message }];
    if (target === self) return problem(`${target} cannot hand off to itself; remove this handoff`);
    if (!targets.includes(target)) {
      const unknown: ValidationProblem = {
        path: here,
        get message() {
          return unknownHandoffTarget(target, targets);
        },
      };
      return [unknown];
    }
    if (seen.has(target)) return problem(`"${target}" is listed twice; remove one of them`);
    seen.add(target);
    const tool = handoffToolName(target);
    const other = taken.get(tool);
    taken.set(tool, `the handoff to "${target}"`);
    return other === undefined ? [] : problem(`its tool is called ${tool}, like ${other}; rename one of them`);
  });
}

const toolNames = (participant: JsonRecord): string[] =>
  asList(participant["tools"]).flatMap((tool) => asText(isRecord(tool) ? tool["name"] : tool) ?? []);

function unknownHandoffTarget(target: string, targets: readonly string[]): string {
  const meant = nearest(target, targets);
  return meant === undefined
    ? `no participant is called "${target}"; to hand off outside the team, add the termination condition handoff with the target ${target}`
    : `no participant is called "${target}"; did you mean "${meant}"?`;
}

/** A handoff may leave the team if a termination condition stops the run on it. */
function conditionTargets(value: unknown): string[] {
  const condition = asRecord(value);
  const inner = [...asList(condition["any"]), ...asList(condition["all"])].flatMap(conditionTargets);
  const target = asText(asRecord(condition["handoff"])["target"]);
  return target === undefined ? inner : [...inner, target];
}

/** In a swarm only a handoff selects another speaker. */
function checkSwarm({ kind }: JsonRecord, participants: readonly JsonRecord[]): ValidationProblem[] {
  const first = asText(participants[0]?.["name"]);
  if (kind !== "swarm" || participants.length < 2 || first === undefined) return [];
  if (participants.some(({ handoffs }) => handoffs !== undefined && asList(handoffs).length > 0)) return [];
  const message = `no participant has handoffs, so only ${first} would ever speak; give ${first} some \`handoffs\``;
  return [{ path: ["participants"], on: "key", message }];
}
