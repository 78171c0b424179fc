/** An arc of a directed graph whose nodes are numbered from 0. */
export interface Arc {
  readonly from: number;
  readonly to: number;
}

/** What one walk through the whole graph finds. */
export interface DepthFirst {
  /** The nodes, each before those it leads to by an arc that does not lead back. */
  readonly order: readonly number[];
  /** For each arc, whether it leads back: to a node that the walk had come through on its way to the arc's source. */
  readonly back: readonly boolean[];
}

/** Walks depth first from `starts`, then from whatever they do not reach; arcs are followed in the order given. */
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

/** For each node, the number of its strongly connected component: two nodes have the same when each can be reached from the other. */
export function components(count: number, arcs: readonly Arc[]): number[] {
  const entering = arcsByNode(count, arcs, "to").map((into) => into.flatMap((at) => arcs[at]?.from ?? []));
  const component = Array<number>(count).fill(-1);
  let next = 0;
  // In this order, what still reaches a node against the arcs is of its component (Kosaraju's algorithm).
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

/** Those to whom no arc leads, and of each loop that no arc leads into, its first node: from them, every node is reached. */
export function startNodes(count: number, arcs: readonly Arc[]): number[] {
  const component = components(count, arcs);
  const entered = new Set(arcs.flatMap(({ from, to }) => (component[from] === component[to] ? [] : component[to])));
  return [...component.keys()].filter((node) => {
    const own = component[node] ?? -1;
    return !entered.has(own) && component.indexOf(own) === node;
  });
}

/** Marks with 1 every node that can be reached from `starts`, these included, on ways that do not touch `avoided`. */
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

/** For each node, the positions of the arcs that leave it, or that enter it. */
export function arcsByNode(count: number, arcs: readonly Arc[], end: keyof Arc): number[][] {
  const by = Array.from({ length: count }, (): number[] => []);
  for (const [at, arc] of arcs.entries()) by[arc[end]]?.push(at);
  return by;
}
