import assert from "node:assert/strict";
import { it } from "node:test";
import { type Arc, components, depthFirst, reachable, startNodes } from "./graph-search.ts";

const arcs = (text: string): Arc[] =>
  text.split(" ").map((arc) => {
    const [from, to] = arc.split(">").map(Number);
    return { from: from ?? 0, to: to ?? 0 };
  });

it("the order is topological, and back arcs are marked", () => {
  assert.deepEqual(depthFirst(5, arcs("0>1 1>2 2>0 1>3 0>3 3>3"), [0]), {
    order: [4, 0, 1, 3, 2],
    back: [false, false, true, false, false, true],
  });
});

it("which arcs are back arcs depends on the start", () => {
  const loop = arcs("0>1 1>0");
  assert.deepEqual(depthFirst(2, loop, [0]).back, [false, true]);
  assert.deepEqual(depthFirst(2, loop, [1]).back, [true, false]);
});

it("a chain of any length is searched", () => {
  const chain = Array.from({ length: 50_000 }, (_, at) => ({ from: at, to: at + 1 }));
  assert.equal(depthFirst(50_001, chain, [0]).order.at(-1), 50_000);
});

it("components are the nodes that can all reach each other", () => {
  const [a, b, c, d, e] = components(5, arcs("0>1 1>2 2>0 2>3 3>4 4>3"));
  assert.ok(a === b && b === c);
  assert.ok(d === e && d !== a);
});

it("the first nodes are those without incoming arcs, and one of each loop that no arc leads into", () => {
  assert.deepEqual(startNodes(3, arcs("0>1 1>2")), [0]);
  assert.deepEqual(startNodes(6, arcs("2>1 1>2 2>0 4>4 4>5")), [1, 3, 4]);
  assert.deepEqual(startNodes(3, arcs("0>1 1>2 2>1")), [0]);
});

it("what can be reached around a node is what needs no path through it", () => {
  const targets = [[1], [2], [3], [], [3]];
  assert.deepEqual([...reachable(targets, [0])], [1, 1, 1, 1, 0]);
  assert.deepEqual([...reachable(targets, [0, 4], 1)], [1, 0, 0, 1, 1]);
  assert.deepEqual([...reachable(targets, [1], 1)], [0, 0, 0, 0, 0]);
});
