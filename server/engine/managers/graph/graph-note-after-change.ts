import { departedNames, replacedNames } from "../../../../shared/state/replaced-participants.ts";
import type { ChangedTeam } from "../manager.ts";
import { type GraphNote, parseGraphNote } from "./graph-note.ts";
import { buildTopology, type GraphTopology } from "./graph-topology.ts";

/**
 * The progress of a graph in which other participants take part. Who replaces somebody has its turn and its tokens. What
 * waited for one who has left goes on along the new edges that lead past it; undefined where there was no progress.
 */
export function graphNoteAfterChange(note: unknown, changed: ChangedTeam): GraphNote | undefined {
  const old = buildTopology(changed.before);
  const parsed = parseGraphNote(note, old);
  if (parsed === undefined) return undefined;
  const next = new ChangedGraph(old, buildTopology(changed.after), changed.changes);
  for (const [key, count] of parsed.tokens) next.addTokens(key, count);
  for (const [name, turns] of parsed.running) next.addRunning(name, turns);
  return { seen: parsed.seen, running: [...next.running], tokens: [...next.tokens].filter(([, count]) => count !== 0) };
}

/** Where the progress of a graph leads in the graph that has taken its place. */
class ChangedGraph {
  readonly tokens = new Map<string, number>();
  readonly running = new Map<string, number>();
  readonly #old: GraphTopology;
  readonly #graph: GraphTopology;
  readonly #replaced: ReadonlyMap<string, string>;
  readonly #departed: ReadonlySet<string>;
  /** The edges that are new. */
  readonly #added: GraphTopology["edges"];

  constructor(old: GraphTopology, graph: GraphTopology, changes: ChangedTeam["changes"]) {
    this.#old = old;
    this.#graph = graph;
    this.#replaced = replacedNames(changes);
    this.#departed = departedNames(changes);
    const kept = new Set(old.edges.flatMap(({ key }) => this.#keyNow(endsOf(key)) ?? []));
    this.#added = graph.edges.filter(({ key }) => !kept.has(key));
  }

  addTokens(key: string, count: number): void {
    const ends = endsOf(key);
    const now = this.#keyNow(ends);
    if (now !== undefined) this.#add(now, count);
    else if (count > 0)
      for (const next of this.#past(ends.to, [this.#nameNow(ends.from) ?? ""])) this.#add(next, count);
  }

  addRunning(name: string, turns: number): void {
    const now = this.#nameNow(name);
    if (now !== undefined) {
      this.running.set(now, turns);
      return;
    }
    const next = this.#past(
      name,
      leadingTo(this.#old, name).flatMap((one) => this.#nameNow(one) ?? []),
    );
    for (const key of next) this.#add(key, 1);
    if (next.length > 0) return;
    // There was no participant before it: those after it begin.
    for (const entry of this.#graph.entries) {
      const first = nameAt(this.#graph, entry);
      if (leadsTo(this.#old, name, first)) this.running.set(first, 0);
    }
  }

  #add(key: string, count: number): void {
    this.tokens.set(key, (this.tokens.get(key) ?? 0) + count);
  }

  #nameNow(name: string): string | undefined {
    const isGone = this.#departed.has(name) || !this.#graph.names.includes(name);
    return this.#replaced.get(name) ?? (isGone ? undefined : name);
  }

  #keyNow({ from, to, nth }: EdgeEnds): string | undefined {
    const key = `${this.#nameNow(from)}>${this.#nameNow(to)}${nth}`;
    return this.#graph.edges.some((edge) => edge.key === key) ? key : undefined;
  }

  /** The new edges from any of these to where `left` led. */
  #past(left: string, from: readonly string[]): string[] {
    return this.#added.flatMap((edge) =>
      from.includes(nameAt(this.#graph, edge.from)) && leadsTo(this.#old, left, nameAt(this.#graph, edge.to))
        ? [edge.key]
        : [],
    );
  }
}

interface EdgeEnds {
  readonly from: string;
  readonly to: string;
  /** The number of a further edge between the two. */
  readonly nth: string;
}

const nameAt = ({ names }: GraphTopology, node: number): string => names[node] ?? "";

function endsOf(key: string): EdgeEnds {
  const [from = "", target = ""] = key.split(">");
  const [to = "", nth] = target.split("#");
  return { from, to, nth: nth === undefined ? "" : `#${nth}` };
}

const leadsTo = (graph: GraphTopology, from: string, to: string): boolean =>
  graph.edges.some((edge) => nameAt(graph, edge.from) === from && nameAt(graph, edge.to) === to);

const leadingTo = (graph: GraphTopology, to: string): string[] =>
  graph.edges.flatMap((edge) => (nameAt(graph, edge.to) === to ? [nameAt(graph, edge.from)] : []));
