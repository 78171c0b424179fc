import assert from "node:assert/strict";
import { it } from "node:test";
import { GraphSimulation, graphTeam, type TestEdge } from "../../testing/graph-simulation.ts";
import { type RandomInt, seededRandom } from "../../testing/random.ts";

const GRAPHS = 300;

interface RandomGraph {
  readonly names: readonly string[];
  readonly edges: readonly TestEdge[];
  /** What a participant says in each turn: the marks of the edges that it takes. */
  readonly text: (name: string) => string;
}

/** Without `loops`, edges lead from earlier names to later ones. The condition of an edge is a mark that only it has. */
function randomGraph(draw: RandomInt, join: "all" | "any" | "mixed", loops: "loops" | "noLoops"): RandomGraph {
  const count = 2 + draw(9);
  const names = Array.from({ length: count }, (_, at) => `n${at}`);
  const edges: TestEdge[] = [];
  const said = new Map<string, string>();
  for (let made = draw(count * 2); made >= 0; made--) {
    const [a, b] = [draw(count), draw(count)];
    if (a === b && loops === "noLoops") continue;
    const [from, to] = loops === "loops" ? [a, b] : [Math.min(a, b), Math.max(a, b)];
    const mark = `[${edges.length}]`;
    const when = loops === "loops" || draw(2) === 0 ? { when: mark } : {};
    const source = `n${from}`;
    if (draw(3) > 0) said.set(source, `${said.get(source) ?? ""}${mark}`);
    edges.push([source, `n${to}`, { ...when, join: join === "mixed" ? (draw(2) === 0 ? "all" : "any") : join }]);
  }
  return { names, edges, text: (name) => said.get(name) ?? "nothing" };
}

const isTaken = ([from, , more]: TestEdge, { text }: RandomGraph): boolean =>
  typeof more?.when !== "string" || text(from).includes(more.when);

/** Who speaks in a graph without loops: the entries, and the targets of the edges that a speaker takes. */
function speakersOf(graph: RandomGraph): Set<string> {
  const speak = new Set(graph.names.filter((name) => !graph.edges.some(([, to]) => to === name)));
  for (const name of graph.names) {
    if (graph.edges.some((edge) => edge[1] === name && speak.has(edge[0]) && isTaken(edge, graph))) speak.add(name);
  }
  return speak;
}

/**
 * Lets speakers finish in random order, several before the manager is asked, with random interrupts. `onStart` is called
 * with each speaker that starts or starts again. Returns who finished, in order.
 */
function runToEnd(
  flow: GraphSimulation,
  draw: RandomInt,
  text: (name: string) => string,
  onStart: (name: string, finished: ReadonlySet<string>) => void,
): string[] {
  const finished: string[] = [];
  for (;;) {
    const next = flow.next();
    if (typeof next === "string") return finished;
    for (const name of next) onStart(name, new Set(finished));
    assert.notEqual(flow.speaking.length, 0, "someone speaks until the graph ends");
    for (let ending = 1 + draw(2); ending > 0; ending--) {
      const name = flow.speaking[draw(flow.speaking.length)];
      if (name === undefined) break;
      flow.finish(name, text(name));
      finished.push(name);
    }
    if (draw(4) === 0) flow.interrupt();
  }
}

for (const join of ["all", "any"] as const) {
  it(`without loops and with joins of ${join}, each participant that can speak does so exactly once`, () => {
    for (let seed = 0; seed < GRAPHS; seed++) {
      const draw = seededRandom(seed);
      const graph = randomGraph(draw, join, "noLoops");
      const speak = speakersOf(graph);
      const flow = new GraphSimulation(graphTeam(graph.names, graph.edges));
      const spoke = runToEnd(flow, draw, graph.text, (name, finished) => {
        const before = graph.edges.filter((edge) => edge[1] === name && speak.has(edge[0]) && isTaken(edge, graph));
        const done = before.filter(([from]) => finished.has(from));
        const enough = join === "all" ? done.length === before.length : done.length > 0 || before.length === 0;
        assert.ok(enough, `seed ${seed}: ${name} started after ${[...finished].join(", ")}`);
      });
      assert.deepEqual(spoke.sort(), [...speak].sort(), `seed ${seed}`);
    }
  });
}

it("with loops and any joins, it ends once no more edges are taken", () => {
  for (let seed = 0; seed < GRAPHS; seed++) {
    const draw = seededRandom(seed);
    const graph = randomGraph(draw, "mixed", "loops");
    const flow = new GraphSimulation(graphTeam(graph.names, graph.edges, "n0"));
    const spoken = new Map<string, number>();
    let turns = 0;
    const text = (name: string): string => (turns++ < 60 ? graph.text(name) : "nothing");
    for (const name of runToEnd(flow, draw, text, () => {})) spoken.set(name, (spoken.get(name) ?? 0) + 1);
    assert.ok((spoken.get("n0") ?? 0) >= 1, `seed ${seed}`);
    for (const name of spoken.keys()) {
      const isReached =
        name === "n0" || graph.edges.some((edge) => edge[1] === name && spoken.has(edge[0]) && isTaken(edge, graph));
      assert.ok(isReached, `seed ${seed}: no edge leads to ${name}`);
    }
    for (const edge of graph.edges) {
      if (spoken.has(edge[0]) && isTaken(edge, graph) && turns <= 60)
        assert.ok(spoken.has(edge[1]), `seed ${seed}: ${edge[1]} never spoke`);
    }
  }
});
