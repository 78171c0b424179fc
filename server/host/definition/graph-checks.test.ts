import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkDefinition, toProblems } from "./check-definition.ts";

const options = { tools: [], hasDefaultModel: true, user: "user", unknownKeys: "mistake" } as const;

type Parts = Readonly<Record<string, unknown>>;

/**
 * A graph team with these edges, written as `from>to` or as objects; its participants are those named, or ann, bob and cid.
 */
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

  it("needs a graph, and no other team may have one", () => {
    const participants = [{ name: "ann" }];
    assert.deepEqual(problems({ name: "Talk", kind: "graph", participants }), [
      "graph: is missing; add `edges`, each with `from` and `to`, to say who speaks next",
    ]);
    assert.deepEqual(problems(graph(["ann>bob", "ann>bob"], { kind: "roundRobin" })), [
      "graph: is only for teams of kind graph; remove it, or set kind: graph",
    ]);
  });

  it("is checked in a nested team too", () => {
    const inner = { name: "ann", kind: "team", team: graph(["ann>bob", "ann>bob"]) };
    assert.deepEqual(problems({ name: "Outer", kind: "roundRobin", participants: [inner] }), [
      "participants[0].team.graph.edges[1]: duplicates graph.edges[0]; remove one of them",
    ]);
  });
});

describe("edges", () => {
  it("between the same two participants need different conditions", () => {
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
      ["graph.edges[1]: duplicates graph.edges[0]; remove one of them"],
    );
  });

  it("match by valid regular expressions only", () => {
    const [problem, ...more] = problems(graph([{ from: "ann", to: "bob", when: { matches: "(" } }]));
    assert.match(problem ?? "", /^graph\.edges\[0\]\.when\.matches: is a regular expression that has a /);
    assert.deepEqual(more, []);
  });

  it("to an unknown name are one problem, not many", () => {
    assert.deepEqual(problems(graph(["ann>bbo", "bob>cid", "cid>bob"], {}, "ann")), [
      'graph.edges[0].to: no participant is called "bbo"; did you mean "bob"?',
    ]);
  });
});

describe("a participant without incoming edges", () => {
  it("speaks first, or can never speak if `entry` names others", () => {
    assert.deepEqual(problems(graph(["ann>bob"])), []);
    assert.deepEqual(problems(graph(["ann>bob"], {}, ["ann"])), [
      "participants[2].name: cid can never speak: no edges lead to it from ann, where the graph starts; add an edge, or name cid in graph.entry",
    ]);
    assert.deepEqual(problems(graph(["ann>bob"], {}, ["ann", "cid"])), []);
  });

  it("is not reported because of a wrong `entry`", () => {
    assert.deepEqual(problems(graph(["ann>bob"], {}, ["anna"])), [
      'graph.entry[0]: no participant is called "anna"; did you mean "ann"?',
    ]);
    assert.equal(problems(graph(["ann>bob"], {}, [])).length, 1);
  });
});

describe("a graph in which everyone has incoming edges", () => {
  const noEntry =
    "graph.edges: lead to every participant, so none can start; name the first speaker in `graph.entry`, or add a `when` to the edge that leads back to it";

  it("has no first speaker, unless `entry` names one", () => {
    assert.deepEqual(problems(graph(["ann>bob", "bob>ann"], { maxTurns: 4 })), [noEntry]);
    assert.deepEqual(problems(graph(["ann>ann"], { maxTurns: 4 })), [noEntry]);
    assert.deepEqual(problems(graph(["ann>bob", "bob>cid", "cid>ann"], { maxTurns: 4 }, "bob")), []);
  });

  it("starts with the first participant if the edge back to it has a condition", () => {
    assert.deepEqual(problems(graph(["ann>bob", { from: "bob", to: "ann", when: "again" }, "bob>cid"])), []);
  });
});

describe("a participant without edges", () => {
  it("can never speak in a graph of others", () => {
    const participants = ["ann", "bob", "cid"].map((name) => ({ name }));
    assert.deepEqual(problems(graph(["ann>bob"], { participants })), [
      "participants[2].name: cid can never speak: no edges lead to it from ann, where the graph starts; add an edge, or name cid in graph.entry",
    ]);
  });
});

describe("a loop", () => {
  const endless =
    "graph.edges[1]: loops forever (ann, bob); add a `when` to the edge, or `maxTurns` or a `termination` to the team";

  it("without conditions is endless, even with other edges", () => {
    assert.deepEqual(problems(graph(["ann>bob", "bob>ann"])), [endless]);
    assert.deepEqual(problems(graph(["ann>bob", "bob>ann", "bob>cid"])), [endless]);
    assert.deepEqual(problems(graph(["ann>ann"])), [
      "graph.edges[0]: loops forever (ann); add a `when` to the edge, or `maxTurns` or a `termination` to the team",
    ]);
  });

  it("is reported once, each separately", () => {
    assert.deepEqual(problems(graph(["ann>bob", "bob>ann", "bob>bob", "cid>cid"])), [
      endless,
      "graph.edges[3]: loops forever (cid); add a `when` to the edge, or `maxTurns` or a `termination` to the team",
    ]);
  });

  it("ends by a condition on one of its edges, by the team's termination, or by the user's turn", () => {
    assert.deepEqual(problems(graph(["ann>bob", { from: "bob", to: "ann", when: "again" }])), []);
    assert.deepEqual(problems(graph([{ from: "ann", to: "bob", when: "on" }, "bob>ann"])), []);
    assert.deepEqual(problems(graph(["ann>bob", "bob>cid", "cid>bob"], { maxTurns: 4 })), []);
    assert.deepEqual(problems(graph(["ann>bob", "bob>cid", "cid>bob"], { termination: { maxMessages: 4 } })), []);
    const participants = [{ name: "ann" }, { name: "bob", kind: "user" }];
    assert.deepEqual(problems(graph(["ann>bob", "bob>ann"], { participants })), []);
  });
});
