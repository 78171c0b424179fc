/** An arc of a directed graph with nodes numbered from 0. */
export interface Arc {
  readonly from: number;
  readonly to: number;
}

/** The result of a depth-first search of the whole graph. */
export interface DepthFirst {
  /** The nodes in topological order, ignoring back arcs. */
  readonly order: readonly number[];
  /** For each arc, whether it is a back arc: it leads to a node on the path to the arc's source. */
  readonly back: readonly boolean[];
}

/** Searches depth first from `starts`, then from the nodes that these do not reach. Arcs are followed in the order given. */
export function depthFirst(count: number, arcs: readonly Arc[], starts: readonly number[]): DepthFirst {
  const leaving = arcsByNode(count, arcs, "from");
  const back = arcs.map(() => false);
  const finished: number[] = [];
  const seen = new Uint8Array(count);
  const onPath = new Uint8Array(count);
  for (const start of [...starts, ...Array(count).keys()]) {
    if (seen[start]) continue;
    seen[start] = onPath[start] = 1;
    const path = [{ node: start, taken: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const at = leaving[top.node]?.[top.taken++];
      const to = at === undefined ? undefined : arcs[at]?.to;
      if (at === undefined || to === undefined) {
        onPath[top.node] = 0;
        finished.push(top.node);
        path.pop();
      } else if (!seen[to]) {
        seen[to] = onPath[to] = 1;
        path.push({ node: to, taken: 0 });
      } else if (onPath[to]) {
        back[at] = true;
      }
    }
  }
  return { order: finished.reverse(), back };
}

/** For each node, the number of its strongly connected component: nodes that can reach each other have the same number. */
export function components(count: number, arcs: readonly Arc[]): number[] {
  const entering = arcsByNode(count, arcs, "to").map((into) => into.flatMap((at) => arcs[at]?.from ?? []));
  const component = Array<number>(count).fill(-1);
  let next = 0;
  // In this order, the nodes that still reach `root` against the arcs belong to its component (Kosaraju's algorithm).
  for (const root of depthFirst(count, arcs, []).order) {
    if (component[root] !== -1) continue;
    const waiting = [root];
    component[root] = next;
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      for (const from of entering[node] ?? []) {
        if (component[from] !== -1) continue;
        component[from] = next;
        waiting.push(from);
      }
    }
    next++;
  }
  return component;
}

/**
 * The nodes without incoming arcs, and the first node of each loop without arcs into it. Every node can be reached from
 * these.
 */
export function startNodes(count: number, arcs: readonly Arc[]): number[] {
  const component = components(count, arcs);
  const entered = new Set(arcs.flatMap(({ from, to }) => (component[from] === component[to] ? [] : component[to])));
  return [...component.keys()].filter((node) => {
    const own = component[node] ?? -1;
    return !entered.has(own) && component.indexOf(own) === node;
  });
}

/** Marks with 1 every node that can be reached from `starts`, including these, without passing `avoided`. */
export function reachable(
  targets: readonly (readonly number[])[],
  starts: Iterable<number>,
  avoided?: number,
): Uint8Array {
  const reached = new Uint8Array(targets.length);
  const waiting = [...starts].filter((start) => start !== avoided);
  for (const start of waiting) reached[start] = 1;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    for (const to of targets[node] ?? []) {
      if (reached[to] || to === avoided) continue;
      reached[to] = 1;
      waiting.push(to);
    }
  }
  return reached;
}

/** For each node, the positions of the arcs that leave it (`from`), or that enter it (`to`). */
export function arcsByNode(count: number, arcs: readonly Arc[], end: keyof Arc): number[][] {
  const by = Array.from({ length: count }, (): number[] => []);
  for (const [at, arc] of arcs.entries()) by[arc[end]]?.push(at);
  return by;
}
