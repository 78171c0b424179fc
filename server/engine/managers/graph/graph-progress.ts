import type { GraphNote } from "./graph-note.ts";
import { reachable } from "./graph-search.ts";
import type { EdgeJoin, GraphTopology } from "./graph-topology.ts";

/** The progress of a graph: the participants that are running, and the tokens that wait on its edges. */
export class GraphProgress {
  readonly #graph: GraphTopology;
  /** The running participants, each with its number of finished turns when it was selected. */
  readonly #running: Map<number, number>;
  /** By edge, as in {@link GraphNote.tokens}. */
  readonly #tokens: Int32Array;

  private constructor(graph: GraphTopology, running: Map<number, number>) {
    this.#graph = graph;
    this.#running = running;
    this.#tokens = new Int32Array(graph.edges.length);
  }

  /** The progress of a graph that starts, with its entries running. */
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

  /** The running participants, in the order of the team. */
  get running(): number[] {
    return [...this.#running.keys()].sort((a, b) => a - b);
  }

  /** The note to store, for a thread of `seen` messages. */
  note(seen: number): GraphNote {
    const { names, edges } = this.#graph;
    return {
      seen,
      running: [...this.#running].map(([node, turns]) => [names[node] ?? "", turns]),
      tokens: edges.flatMap(({ key }, at): [string, number][] => (this.#tokens[at] ? [[key, this.#tokens[at]]] : [])),
    };
  }

  /**
   * Removes the participants that have finished since they were selected, and adds a token to each edge that their message
   * takes.
   */
  complete(turns: readonly number[], lastTextOf: (node: number) => string): void {
    for (const node of this.finished(turns)) {
      this.#running.delete(node);
      const text = lastTextOf(node);
      for (const at of this.#graph.leaving[node] ?? []) {
        if (this.#graph.edges[at]?.when.isTaken(text)) this.#add(at, 1);
      }
    }
  }

  /** The participants that have finished since they were selected. */
  finished(turns: readonly number[]): number[] {
    return [...this.#running].flatMap(([node, before]) => ((turns[node] ?? 0) > before ? [node] : []));
  }

  /** Starts every participant with a join that is complete. */
  activate(turns: readonly number[]): void {
    const waiting = this.#graph.order.filter((node) => this.#isWaiting(node));
    const reachability = new Reachability(this.#graph, [...this.#running.keys(), ...waiting]);
    const idle = waiting.filter((node) => !this.#running.has(node));
    for (const node of idle) {
      const join = this.#graph.joins[node]?.find((candidate) => this.#isReady(candidate, reachability));
      if (join !== undefined) this.#run(node, join, turns);
    }
    // Only participants in a loop can wait for each other; then the first one in topological order is started.
    const [first] = idle;
    if (this.#running.size === 0 && first !== undefined) {
      const join = this.#graph.joins[first]?.find(({ edges }) => edges.some((at) => this.#has(at)));
      if (join !== undefined) this.#run(first, join, turns);
    }
    // An edge that can no longer bring a token has no late token to ignore, also in a later pass.
    for (const [at, tokens] of this.#tokens.entries())
      if (tokens < 0 && !reachability.canBringToken(at)) this.#tokens[at] = 0;
  }

  #run(node: number, { kind, edges }: EdgeJoin, turns: readonly number[]): void {
    this.#running.set(node, turns[node] ?? 0);
    for (const at of edges) if (kind === "any" || this.#has(at)) this.#add(at, -1);
  }

  #isReady({ kind, edges }: EdgeJoin, reachability: Reachability): boolean {
    if (!edges.some((at) => this.#has(at))) return false;
    return kind === "any" || edges.every((at) => this.#has(at) || !reachability.canBringToken(at));
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

/** Which edges can still bring a token, given the participants that run or are about to. */
class Reachability {
  readonly #graph: GraphTopology;
  readonly #active: readonly number[];
  readonly #reached: Uint8Array;
  readonly #around = new Map<number, Uint8Array>();

  constructor(graph: GraphTopology, active: readonly number[]) {
    this.#graph = graph;
    this.#active = active;
    this.#reached = reachable(graph.targets, active);
  }

  /** Whether the edge at that position can bring a token before its target runs. */
  canBringToken(at: number): boolean {
    const edge = this.#graph.edges[at];
    if (edge === undefined) return false;
    const { component } = this.#graph;
    // When the target does not lead to the source, no path to the source passes the target.
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
