import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { handoffToolName } from "../../engine/participants/handoff.ts";
import type { Fault } from "./fault.ts";
import { nearest } from "./nearest.ts";
import type { Path } from "./path.ts";
import { listOf, recordOf, textOf } from "./raw.ts";
import type { Scope } from "./scope.ts";

/** Handoffs to nobody, to oneself, twice to the same, or by the same tool; and a swarm in which nobody hands over. */
export function handoffFaults(team: JsonRecord, participants: readonly JsonRecord[], { names }: Scope): Fault[] {
  const targets = [...names, ...conditionTargets(team["termination"])];
  return [
    ...participants.flatMap((participant, at) => faultsOf(participant, ["participants", at], targets)),
    ...stuckSwarm(team, participants),
  ];
}

function faultsOf(participant: JsonRecord, path: Path, targets: readonly string[]): Fault[] {
  const self = textOf(participant["name"]);
  const taken = new Map(toolNames(participant).map((tool) => [tool, `the tool "${tool}"`]));
  const seen = new Set<string>();
  return listOf(participant["handoffs"]).flatMap((handoff, at): Fault[] => {
    const target = textOf(isRecord(handoff) ? handoff["target"] : handoff);
    if (target === undefined) return [];
    const here = [...path, "handoffs", at, ...(isRecord(handoff) ? ["target"] : [])];
    const fault = (message: string): Fault[] => [{ path: here, message }];
    if (target === self) return fault(`${target} can not hand over to itself; take this handoff out`);
    if (!targets.includes(target)) return fault(nobodyToTakeOver(target, targets));
    if (seen.has(target)) return fault(`"${target}" is handed over to already; take one of the two out`);
    seen.add(target);
    const tool = handoffToolName(target);
    const other = taken.get(tool);
    taken.set(tool, `the handoff to "${target}"`);
    return other === undefined ? [] : fault(`its tool would be ${tool}, as that of ${other}; rename one of them`);
  });
}

const toolNames = (participant: JsonRecord): string[] =>
  listOf(participant["tools"]).flatMap((tool) => textOf(isRecord(tool) ? tool["name"] : tool) ?? []);

function nobodyToTakeOver(target: string, targets: readonly string[]): string {
  const meant = nearest(target, targets);
  return meant === undefined
    ? `nobody here is called "${target}"; to hand over to someone outside the team, add the termination condition handoff with the target ${target}`
    : `nobody here is called "${target}"; did you mean "${meant}"?`;
}

/** A handoff may leave the team where a condition stops on it (behaviours, 7). */
function conditionTargets(value: unknown): string[] {
  const condition = recordOf(value);
  const inner = [...listOf(condition["any"]), ...listOf(condition["all"])].flatMap(conditionTargets);
  const target = textOf(recordOf(condition["handoff"])["target"]);
  return target === undefined ? inner : [...inner, target];
}

/** In a swarm only a handoff gives the floor to another. */
function stuckSwarm({ kind }: JsonRecord, participants: readonly JsonRecord[]): Fault[] {
  const first = textOf(participants[0]?.["name"]);
  if (kind !== "swarm" || participants.length < 2 || first === undefined) return [];
  if (participants.some(({ handoffs }) => handoffs !== undefined && listOf(handoffs).length > 0)) return [];
  const message = `nobody here hands over, so that ${first} alone would speak; give ${first} some \`handoffs\``;
  return [{ path: ["participants"], on: "key", message }];
}
