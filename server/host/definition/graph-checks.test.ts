import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkDefinition, toProblems } from "./check-definition.ts";

const options = { tools: [], hasDefaultModel: true, user: "user", unknownKeys: "mistake" } as const;

type Parts = Readonly<Record<string, unknown>>;

/** A graph team with these edges, written as `from>to`, or whole; of those whom they name, or of ann, bob and cid. */
function graph(edges: readonly (string | Parts)[], changes: Parts = {}, entry?: string | string[]): Parts {
  const written = edges.map((edge) => {
    if (typeof edge !== "string") return edge;
    const [from, to] = edge.split(">");
    return { from, to };
  });
  const all = ["ann", "bob", "cid"];
  const named = all.filter((name) => written.some(({ from, to }) => from === name || to === name));
  const participants = (named.length > 0 && entry === undefined ? named : all).map((name) => ({ name }));
  const settings = { edges: written, ...(entry === undefined ? {} : { entry }) };
  return { name: "Talk", kind: "graph", participants, graph: settings, ...changes };
}

function problems(team: Parts): string[] {
  const checked = checkDefinition(team, options);
  return checked.ok ? [] : toProblems(checked.problems).map(({ path, message }) => `${path}: ${message}`);
}

describe("a graph team", () => {
  it("opens with forks, joins and loops that have an exit", () => {
    assert.deepEqual(
      problems(
        graph([
          "ann>bob",
          "ann>cid",
          { from: "bob", to: "cid", join: "any" },
          { from: "cid", to: "ann", when: "again" },
        ]),
      ),
      [],
    );
    assert.deepEqual(problems(graph([])), []);
  });

  it("has a graph, and no other team does", () => {
    const participants = [{ name: "ann" }];
    assert.deepEqual(problems({ name: "Talk", kind: "graph", participants }), [
      "graph: is missing; give `edges`, each with `from` and `to`, that say who speaks after whom",
    ]);
    assert.deepEqual(problems(graph(["ann>bob", "ann>bob"], { kind: "roundRobin" })), [
      "graph: is for teams of the kind graph; leave it out, or write kind: graph",
    ]);
  });

  it("is checked within another team too", () => {
    const inner = { name: "ann", kind: "team", team: graph(["ann>bob", "ann>bob"]) };
    assert.deepEqual(problems({ name: "Outer", kind: "roundRobin", participants: [inner] }), [
      "participants[0].team.graph.edges[1]: says the same as graph.edges[0]; take one of the two out",
    ]);
  });
});

describe("edges", () => {
  it("between the same two differ in their conditions", () => {
    const edge = { from: "ann", to: "bob" };
    assert.deepEqual(
      problems(graph([{ ...edge, when: "a" }, { ...edge, when: "b" }, { ...edge, when: { lacks: "a" } }, edge])),
      [],
    );
    assert.deepEqual(
      problems(
        graph([
          { ...edge, when: "a" },
          { ...edge, when: { contains: "a" }, join: "any" },
        ]),
      ),
      ["graph.edges[1]: says the same as graph.edges[0]; take one of the two out"],
    );
  });

  it("match by regular expressions alone", () => {
    const [problem, ...more] = problems(graph([{ from: "ann", to: "bob", when: { matches: "(" } }]));
    assert.match(
      problem ?? "",
      /^graph\.edges\[0\]\.when\.matches: is no regular expression \(.*\); mend it, or use `contains`/,
    );
    assert.deepEqual(more, []);
  });

  it("to nobody are one mistake, not many", () => {
    assert.deepEqual(problems(graph(["ann>bbo", "bob>cid", "cid>bob"], {}, "ann")), [
      'graph.edges[0].to: nobody here is called "bbo"; did you mean "bob"?',
    ]);
  });
});

describe("a participant whom no edges lead to", () => {
  it("begins, or would never speak where `entry` says that others begin", () => {
    assert.deepEqual(problems(graph(["ann>bob"])), []);
    assert.deepEqual(problems(graph(["ann>bob"], {}, ["ann"])), [
      "participants[2].name: cid would never speak: no edges lead to it from ann, where the graph begins; add one, or name cid in graph.entry",
    ]);
    assert.deepEqual(problems(graph(["ann>bob"], {}, ["ann", "cid"])), []);
  });

  it("is not blamed for what is wrong with `entry`", () => {
    assert.deepEqual(problems(graph(["ann>bob"], {}, ["anna"])), [
      'graph.entry[0]: nobody here is called "anna"; did you mean "ann"?',
    ]);
    assert.equal(problems(graph(["ann>bob"], {}, [])).length, 1);
  });
});

describe("a graph in which edges lead to everyone", () => {
  const noEntry =
    "graph.edges: lead to everyone, so nobody begins; name who does in `graph.entry`, or give the edge back to the first a `when`";

  it("begins with nobody, unless `entry` names somebody", () => {
    assert.deepEqual(problems(graph(["ann>bob", "bob>ann"], { maxTurns: 4 })), [noEntry]);
    assert.deepEqual(problems(graph(["ann>ann"], { maxTurns: 4 })), [noEntry]);
    assert.deepEqual(problems(graph(["ann>bob", "bob>cid", "cid>ann"], { maxTurns: 4 }, "bob")), []);
  });

  it("begins with the first where the way back to it is taken on a condition", () => {
    assert.deepEqual(problems(graph(["ann>bob", { from: "bob", to: "ann", when: "again" }, "bob>cid"])), []);
  });
});

describe("a participant in no edge", () => {
  it("would never speak in a graph of others", () => {
    const participants = ["ann", "bob", "cid"].map((name) => ({ name }));
    assert.deepEqual(problems(graph(["ann>bob"], { participants })), [
      "participants[2].name: cid would never speak: no edges lead to it from ann, where the graph begins; add one, or name cid in graph.entry",
    ]);
  });
});

describe("a loop", () => {
  const endless =
    "graph.edges[1]: leads round without end (ann, bob); give it a `when`, or the team `maxTurns` or a `termination`";

  it("without conditions goes on for ever, whoever else it leads to", () => {
    assert.deepEqual(problems(graph(["ann>bob", "bob>ann"])), [endless]);
    assert.deepEqual(problems(graph(["ann>bob", "bob>ann", "bob>cid"])), [endless]);
    assert.deepEqual(problems(graph(["ann>ann"])), [
      "graph.edges[0]: leads round without end (ann); give it a `when`, or the team `maxTurns` or a `termination`",
    ]);
  });

  it("is told of once, each by itself", () => {
    assert.deepEqual(problems(graph(["ann>bob", "bob>ann", "bob>bob", "cid>cid"])), [
      endless,
      "graph.edges[3]: leads round without end (cid); give it a `when`, or the team `maxTurns` or a `termination`",
    ]);
  });

  it("ends by a condition on one of its edges, by the team's own end, or by the user's turn", () => {
    assert.deepEqual(problems(graph(["ann>bob", { from: "bob", to: "ann", when: "again" }])), []);
    assert.deepEqual(problems(graph([{ from: "ann", to: "bob", when: "on" }, "bob>ann"])), []);
    assert.deepEqual(problems(graph(["ann>bob", "bob>cid", "cid>bob"], { maxTurns: 4 })), []);
    assert.deepEqual(problems(graph(["ann>bob", "bob>cid", "cid>bob"], { termination: { maxMessages: 4 } })), []);
    const participants = [{ name: "ann" }, { name: "bob", kind: "user" }];
    assert.deepEqual(problems(graph(["ann>bob", "bob>ann"], { participants })), []);
  });
});
