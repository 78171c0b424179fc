import type { GraphNote } from "./graph-note.ts";
import { reachable } from "./graph-search.ts";
import type { EdgeJoin, GraphTopology } from "./graph-topology.ts";

/** How far the flow through a graph has come: who is running, and the tokens that wait on its edges. */
export class GraphProgress {
  readonly #graph: GraphTopology;
  /** Who is running, with how many turns each had finished when it was chosen. */
  readonly #running: Map<number, number>;
  /** By edge, as in {@link GraphNote.tokens}. */
  readonly #tokens: Int32Array;

  private constructor(graph: GraphTopology, running: Map<number, number>) {
    this.#graph = graph;
    this.#running = running;
    this.#tokens = new Int32Array(graph.edges.length);
  }

  /** A flow that begins, with its entries running. */
  static start(graph: GraphTopology, turns: readonly number[]): GraphProgress {
    return new GraphProgress(graph, new Map(graph.entries.map((entry) => [entry, turns[entry] ?? 0])));
  }

  static resume(graph: GraphTopology, { running, tokens }: GraphNote): GraphProgress {
    const progress = new GraphProgress(
      graph,
      new Map(running.map(([name, turns]) => [graph.names.indexOf(name), turns])),
    );
    const waiting = new Map(tokens);
    for (const [at, { key }] of graph.edges.entries()) progress.#tokens[at] = waiting.get(key) ?? 0;
    return progress;
  }

  /** Who is running, in the order of the team. */
  get running(): number[] {
    return [...this.#running.keys()].sort((a, b) => a - b);
  }

  /** The note of it, for a thread of which `seen` messages have been seen. */
  note(seen: number): GraphNote {
    const { names, edges } = this.#graph;
    return {
      seen,
      running: [...this.#running].map(([node, turns]) => [names[node] ?? "", turns]),
      tokens: edges.flatMap(({ key }, at): [string, number][] => (this.#tokens[at] ? [[key, this.#tokens[at]]] : [])),
    };
  }

  /** Takes those off who have finished since they were chosen, and lets each edge that its source's message takes bring a token. */
  complete(turns: readonly number[], lastTextOf: (node: number) => string): void {
    for (const [node, before] of this.#running) {
      if ((turns[node] ?? 0) <= before) continue;
      this.#running.delete(node);
      const text = lastTextOf(node);
      for (const at of this.#graph.leaving[node] ?? []) {
        if (this.#graph.edges[at]?.taken(text)) this.#add(at, 1);
      }
    }
  }

  /** Starts everyone whose edges have brought what it waits for. */
  activate(turns: readonly number[]): void {
    const waiting = this.#graph.order.filter((node) => this.#isWaiting(node));
    const ahead = new Ahead(this.#graph, [...this.#running.keys(), ...waiting]);
    const idle = waiting.filter((node) => !this.#running.has(node));
    for (const node of idle) {
      const join = this.#graph.joins[node]?.find((candidate) => this.#isReady(candidate, ahead));
      if (join !== undefined) this.#run(node, join, turns);
    }
    // Only in a loop can participants wait for each other alone; then the first of them in the flow's order goes on.
    const [first] = idle;
    if (this.#running.size === 0 && first !== undefined) {
      const join = this.#graph.joins[first]?.find(({ edges }) => edges.some((at) => this.#has(at)));
      if (join !== undefined) this.#run(first, join, turns);
    }
    // What can no longer come is not waited for, nor taken for a late token when it comes in a later pass.
    for (const [at, tokens] of this.#tokens.entries()) if (tokens < 0 && !ahead.canCome(at)) this.#tokens[at] = 0;
  }

  #run(node: number, { kind, edges }: EdgeJoin, turns: readonly number[]): void {
    this.#running.set(node, turns[node] ?? 0);
    for (const at of edges) if (kind === "any" || this.#has(at)) this.#add(at, -1);
  }

  #isReady({ kind, edges }: EdgeJoin, ahead: Ahead): boolean {
    if (!edges.some((at) => this.#has(at))) return false;
    return kind === "any" || edges.every((at) => this.#has(at) || !ahead.canCome(at));
  }

  #isWaiting(node: number): boolean {
    return this.#graph.joins[node]?.some(({ edges }) => edges.some((at) => this.#has(at))) ?? false;
  }

  #has(at: number): boolean {
    return (this.#tokens[at] ?? 0) > 0;
  }

  #add(at: number, change: number): void {
    this.#tokens[at] = (this.#tokens[at] ?? 0) + change;
  }
}

/** What can still happen, with these participants running or sure to run. */
class Ahead {
  readonly #graph: GraphTopology;
  readonly #active: readonly number[];
  readonly #reached: Uint8Array;
  readonly #around = new Map<number, Uint8Array>();

  constructor(graph: GraphTopology, active: readonly number[]) {
    this.#graph = graph;
    this.#active = active;
    this.#reached = reachable(graph.targets, active);
  }

  /** Whether an edge can bring a token before its target runs. */
  canCome(at: number): boolean {
    const edge = this.#graph.edges[at];
    if (edge === undefined) return false;
    const { component } = this.#graph;
    // Where the target does not lead to the source, no way to the source goes through the target.
    if (component[edge.from] !== component[edge.to]) return this.#reached[edge.from] === 1;
    return this.#reachedAround(edge.to)[edge.from] === 1;
  }

  #reachedAround(node: number): Uint8Array {
    const known = this.#around.get(node);
    if (known !== undefined) return known;
    const reached = reachable(this.#graph.targets, this.#active, node);
    this.#around.set(node, reached);
    return reached;
  }
}
