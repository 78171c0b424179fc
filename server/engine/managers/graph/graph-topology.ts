import type { GraphEdge, TeamDefinition } from "../../../../shared/contract/definition.ts";
import { invalidDefinition } from "../../../../shared/contract/errors.ts";
import type { Problem } from "../../../../shared/contract/problem.ts";
import { edgePredicate } from "./edge-predicate.ts";
import { type Arc, arcsByNode, components, depthFirst, startNodes } from "./graph-search.ts";

/** An edge between participants, by their positions in the team. */
interface Edge extends Arc {
  /** What the note calls it: `from>to`, with a number from the second between the same two on. */
  readonly key: string;
  /** Whether it is taken after a message of this text. */
  readonly taken: (text: string) => boolean;
}

/** Edges that start their target together: when `all` of them have brought a token that can, or at the first of `any`. */
export interface EdgeJoin {
  readonly kind: "all" | "any";
  /** Positions in {@link GraphTopology.edges}. */
  readonly edges: readonly number[];
}

/** All that is known of a graph before it runs. Participants and edges go by their positions. */
export interface GraphTopology {
  readonly names: readonly string[];
  readonly edges: readonly Edge[];
  readonly entries: readonly number[];
  /** Of each participant: the edges that leave it, who they lead to, and what starts it. */
  readonly leaving: readonly (readonly number[])[];
  readonly targets: readonly (readonly number[])[];
  readonly joins: readonly (readonly EdgeJoin[])[];
  /** Two participants have the same number when each can be reached from the other. */
  readonly component: readonly number[];
  /** The participants in the order of the flow: each before those it leads to, loops aside. */
  readonly order: readonly number[];
}

/**
 * The graph of a team; one without edges lets everyone speak once.
 * @throws GavelError `InvalidDefinition`, with all problems, for names of nobody, and for text that is no regular expression.
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
    taken: testOf(edge, at, problems),
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

function testOf({ when }: GraphEdge, at: number, problems: Problem[]): Edge["taken"] {
  try {
    return edgePredicate(when);
  } catch {
    problems.push({ path: `graph.edges[${at}].when.matches`, message: "is no regular expression" });
    return () => false;
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

/** What starts a participant: the edges that lead on to it and those that lead back to it, each for `all` and for `any`. */
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
