import type { JsonRecord } from "../../../shared/json-record.ts";
import { type Arc, components, depthFirst, reachable } from "../../engine/managers/graph/graph-search.ts";
import { patternProblem } from "../../engine/pattern/pattern.ts";
import { asList, asRecord, asText } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/**
 * Checks the graph of a team of kind `graph`: a missing graph or first speaker, duplicate edges, invalid regular
 * expressions, participants that can never speak, and endless loops. Paths are relative to the team.
 */
export function checkGraph(team: JsonRecord): ValidationProblem[] {
  if (team["kind"] !== "graph") return [];
  if (team["graph"] === undefined) {
    return [
      {
        path: ["graph"],
        message: "is missing; add `edges`, each with `from` and `to`, to say who speaks next",
      },
    ];
  }
  const edges = asList(asRecord(team["graph"])["edges"]).map(asRecord);
  return [...checkEdgeConditions(edges), ...duplicateEdges(edges), ...checkFlow(team, edges)];
}

const edgePath = (at: number): ValidationProblem["path"] => ["graph", "edges", at];

function checkEdgeConditions(edges: readonly JsonRecord[]): ValidationProblem[] {
  return edges.flatMap(({ when }, at): ValidationProblem[] => {
    const pattern = asText(asRecord(when)["matches"]);
    const message = pattern === undefined ? undefined : patternProblem(pattern);
    return message === undefined ? [] : [{ path: [...edgePath(at), "when", "matches"], message }];
  });
}

function duplicateEdges(edges: readonly JsonRecord[]): ValidationProblem[] {
  const first = new Map<string, number>();
  return edges.flatMap(({ from, to, when }, at): ValidationProblem[] => {
    const condition = typeof when === "string" ? { contains: when } : when;
    const key = JSON.stringify([from, to, condition]);
    const before = first.get(key);
    if (before === undefined) first.set(key, at);
    if (before === undefined || from === undefined || to === undefined) return [];
    return [{ path: edgePath(at), message: `duplicates graph.edges[${before}]; remove one of them` }];
  });
}

/**
 * Participants that can never speak, and endless loops. Skipped while a name in the graph is unknown: `checkGraphNames`
 * reports it.
 */
function checkFlow(team: JsonRecord, edges: readonly JsonRecord[]): ValidationProblem[] {
  const participants = asList(team["participants"]).map(asRecord);
  const names = participants.map(({ name }) => asText(name));
  const numberOf = (name: unknown): number => names.indexOf(asText(name) ?? "");
  const arcs = edges.map(({ from, to }) => ({ from: numberOf(from), to: numberOf(to) }));
  const { entry } = asRecord(team["graph"]);
  const entries = (typeof entry === "string" ? [entry] : asList(entry)).map(numberOf);
  if (entries.includes(-1) || arcs.some(({ from, to }) => from === -1 || to === -1)) return [];
  const isUser = (node: number): boolean => participants[node]?.["kind"] === "user";
  const isUnconditional = (arc: Arc, at: number): boolean =>
    edges[at]?.["when"] === undefined && !isUser(arc.from) && !isUser(arc.to);
  const loops = components(participants.length, arcs.filter(isUnconditional));
  const loopProblems = endlessLoops(team, arcs, isUnconditional, loops, entries);
  if (loopProblems.length > 0 || (entry !== undefined && entries.length === 0)) return loopProblems;
  const first = entries.length > 0 ? entries : firstSpeakers(names.length, arcs, loops);
  return first === undefined ? [noEntry] : unreached(names, arcs, first);
}

const noEntry: ValidationProblem = {
  path: ["graph", "edges"],
  message:
    "lead to every participant, so none can start; name the first speaker in `graph.entry`, or add a `when` to the edge that leads back to it",
};

/**
 * The first speakers without `entry`: the participants with outgoing and no incoming edges. If every participant has
 * incoming edges it is the first one, provided that those are conditional or pass through the user; else undefined.
 */
function firstSpeakers(count: number, arcs: readonly Arc[], loops: readonly number[]): readonly number[] | undefined {
  const all = Array.from({ length: count }, (_, node) => node);
  if (arcs.length === 0) return all;
  const first = all.filter((node) => arcs.some(({ from }) => from === node) && !arcs.some(({ to }) => to === node));
  if (first.length > 0) return first;
  const isInLoop = loops.some((loop, node) => node > 0 && loop === loops[0]);
  return isInLoop || arcs.some(({ from, to }) => from === 0 && to === 0) ? undefined : [0];
}

function unreached(
  names: readonly (string | undefined)[],
  arcs: readonly Arc[],
  entries: readonly number[],
): ValidationProblem[] {
  const targets = names.map((_, node) => arcs.flatMap(({ from, to }) => (from === node ? to : [])));
  const reached = reachable(targets, entries);
  const start = entries.map((node) => names[node]).join(", ");
  return names.flatMap((name, node): ValidationProblem[] => {
    if (reached[node] || name === undefined) return [];
    const message = `${name} can never speak: no edges lead to it from ${start}, where the graph starts; add an edge, or name ${name} in graph.entry`;
    return [{ path: ["participants", node, "name"], message }];
  });
}

/**
 * Endless loops: without a condition on an edge, without a turn of the user, and in a team without another end.
 */
function endlessLoops(
  team: JsonRecord,
  arcs: readonly Arc[],
  isUnconditional: (arc: Arc, at: number) => boolean,
  loops: readonly number[],
  entries: readonly number[],
): ValidationProblem[] {
  if (team["maxTurns"] !== undefined || team["termination"] !== undefined) return [];
  const participants = asList(team["participants"]).map(asRecord);
  const { back } = depthFirst(participants.length, arcs, entries);
  const reported = new Set<number>();
  return arcs.flatMap((arc, at): ValidationProblem[] => {
    const loop = loops[arc.from] ?? -1;
    const closes = back[at] && isUnconditional(arc, at) && loops[arc.to] === loop && !reported.has(loop);
    if (!closes) return [];
    reported.add(loop);
    const members = participants.flatMap(({ name }, node) => (loops[node] === loop ? (asText(name) ?? []) : []));
    const message = `loops forever (${members.join(", ")}); add a \`when\` to the edge, or \`maxTurns\` or a \`termination\` to the team`;
    return [{ path: edgePath(at), message }];
  });
}
