import type { GraphEdge, TeamDefinition } from "../../../../shared/contract/definition.ts";
import { invalidDefinition } from "../../../../shared/contract/errors.ts";
import type { Problem } from "../../../../shared/contract/problem.ts";
import { PatternError } from "../../pattern/pattern-error.ts";
import { type EdgePredicate, edgePredicate } from "./edge-predicate.ts";
import { type Arc, arcsByNode, components, depthFirst, startNodes } from "./graph-search.ts";

/** An edge between participants, which are given by their positions in the team. */
interface Edge extends Arc {
  /** Its key in the note: `from>to`, with a number for each further edge between the same two. */
  readonly key: string;
  /** The messages after which it is taken. */
  readonly when: EdgePredicate;
}

/** Edges that start their target together: when `all` of them that can bring a token have one, or at the first of `any`. */
export interface EdgeJoin {
  readonly kind: "all" | "any";
  /** Positions in {@link GraphTopology.edges}. */
  readonly edges: readonly number[];
}

/** What is known of a graph before it runs. Participants and edges are given by their positions. */
export interface GraphTopology {
  readonly names: readonly string[];
  readonly edges: readonly Edge[];
  readonly entries: readonly number[];
  /** For each participant: the edges that leave it, their targets, and the joins that start it. */
  readonly leaving: readonly (readonly number[])[];
  readonly targets: readonly (readonly number[])[];
  readonly joins: readonly (readonly EdgeJoin[])[];
  /** Participants that can reach each other have the same number. */
  readonly component: readonly number[];
  /** The participants in topological order, ignoring back edges. */
  readonly order: readonly number[];
}

/**
 * Builds the graph of a team. Without edges, every participant speaks once.
 * @throws GavelError `InvalidDefinition` with all problems: unknown participants, and invalid regular expressions.
 */
export function buildTopology({ name, participants, graph }: TeamDefinition): GraphTopology {
  const names = participants.map((participant) => participant.name);
  const problems: Problem[] = [];
  const place = (wanted: string, path: string): number => {
    const at = names.indexOf(wanted);
    if (at === -1) problems.push({ path, message: `no participant is called "${wanted}"` });
    return at;
  };
  const written = graph?.edges ?? [];
  const keys = keysOf(written);
  const edges = written.map((edge, at) => ({
    key: keys[at] ?? "",
    from: place(edge.from, `graph.edges[${at}].from`),
    to: place(edge.to, `graph.edges[${at}].to`),
    when: predicateOf(edge, at, problems),
  }));
  const named = graph?.entry === undefined ? [] : oneOrMore(graph.entry).map((entry) => place(entry, "graph.entry"));
  if (problems.length > 0) throw invalidDefinition(`The team "${name}"`, problems);

  const entries = named.length > 0 ? [...new Set(named)] : startNodes(names.length, edges);
  const { order, back } = depthFirst(names.length, edges, entries);
  const leaving = arcsByNode(names.length, edges, "from");
  return {
    names,
    edges,
    entries,
    leaving,
    targets: leaving.map((out) => out.flatMap((at) => edges[at]?.to ?? [])),
    joins: arcsByNode(names.length, edges, "to").map((entering) => joinsOf(entering, written, back)),
    component: components(names.length, edges),
    order,
  };
}

const oneOrMore = (entry: string | readonly string[]): readonly string[] =>
  typeof entry === "string" ? [entry] : entry;

function predicateOf({ when }: GraphEdge, at: number, problems: Problem[]): EdgePredicate {
  try {
    return edgePredicate(when);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    problems.push({
      path: `graph.edges[${at}].when.matches`,
      message: `is a regular expression that ${error.message}`,
    });
    return { isTaken: () => false };
  }
}

function keysOf(edges: readonly GraphEdge[]): string[] {
  const seen = new Map<string, number>();
  return edges.map(({ from, to }) => {
    const pair = `${from}>${to}`;
    const nth = (seen.get(pair) ?? 0) + 1;
    seen.set(pair, nth);
    return nth === 1 ? pair : `${pair}#${nth}`;
  });
}

/** The joins that start a participant: its forward edges and its back edges, each divided into `all` and `any`. */
function joinsOf(entering: readonly number[], written: readonly GraphEdge[], back: readonly boolean[]): EdgeJoin[] {
  return [false, true]
    .flatMap((backward) =>
      (["all", "any"] as const).map((kind) => ({
        kind,
        edges: entering.filter((at) => back[at] === backward && (written[at]?.join ?? "all") === kind),
      })),
    )
    .filter(({ edges }) => edges.length > 0);
}
