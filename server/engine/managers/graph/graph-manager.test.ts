import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { GavelError } from "../../../../shared/contract/errors.ts";
import { GraphSimulation, graphTeam, type TestEdge } from "../../testing/graph-simulation.ts";
import { graphManager } from "./graph-manager.ts";

const OVER = "The graph is complete.";

const rehearse = (names: string, edges: readonly TestEdge[], entry?: string | string[]): GraphSimulation =>
  new GraphSimulation(graphTeam(names.split(" "), edges, entry));

const any = { join: "any" } as const;

describe("a graph without loops", () => {
  it("goes from one participant to the next, and ends after the last", () => {
    const flow = rehearse("a b c", [
      ["a", "b"],
      ["b", "c"],
    ]);
    assert.deepEqual(flow.next(), ["a"]);
    assert.deepEqual(flow.play("a"), ["b"]);
    assert.deepEqual(flow.play("b"), ["c"]);
    assert.equal(flow.play("c"), OVER);
  });

  it("without edges lets everyone speak once, in parallel", () => {
    const flow = rehearse("a b", []);
    assert.deepEqual(flow.next(), ["a", "b"]);
    assert.equal(flow.play("b", "a"), OVER);
  });

  it("starts with the participants in `entry`, even if edges lead to them", () => {
    const flow = rehearse(
      "a b c",
      [
        ["a", "b"],
        ["b", "c"],
      ],
      ["c", "b"],
    );
    assert.deepEqual(flow.next(), ["b", "c"]);
    assert.deepEqual(flow.play("c", "b"), ["c"]);
    assert.equal(flow.play("c"), OVER);
  });

  it("forks in parallel, and each branch continues without waiting for the others", () => {
    const flow = rehearse("a b c d", [
      ["a", "b"],
      ["a", "c"],
      ["c", "d"],
    ]);
    flow.next();
    assert.deepEqual(flow.play("a"), ["b", "c"]);
    assert.deepEqual(flow.play("c"), ["d"]);
    assert.deepEqual(flow.speaking, ["b", "d"]);
    assert.equal(flow.play("d", "b"), OVER);
  });

  it("joins when all branches have arrived, once per pass", () => {
    const flow = rehearse("a b c d", [
      ["a", "b"],
      ["a", "c"],
      ["b", "d"],
      ["c", "d"],
    ]);
    flow.next();
    flow.play("a");
    assert.deepEqual(flow.play("c"), []);
    assert.deepEqual(flow.play("b"), ["d"]);
    assert.equal(flow.play("d"), OVER);
  });

  it("joins at the first branch with `any`, and absorbs the others of the same pass", () => {
    const flow = rehearse("a b c d", [
      ["a", "b"],
      ["a", "c"],
      ["b", "d", any],
      ["c", "d", any],
    ]);
    flow.next();
    flow.play("a");
    assert.deepEqual(flow.play("c"), ["d"]);
    assert.deepEqual(flow.play("d", "b"), OVER);
  });

  it("joins once for branches of any length that start with one choice", () => {
    const flow = rehearse("a b c d", [
      ["a", "b"],
      ["a", "c"],
      ["b", "d", any],
      ["c", "d", any],
    ]);
    flow.next();
    flow.play("a");
    flow.finish("b");
    flow.finish("c");
    assert.deepEqual(flow.next(), ["d"]);
    assert.equal(flow.play("d"), OVER);
  });

  it("starts a participant with mixed joins by each: at the first of any, and when all of the others have arrived", () => {
    const flow = rehearse("a b c d", [
      ["a", "d", any],
      ["b", "d"],
      ["c", "d"],
    ]);
    flow.next();
    assert.deepEqual(flow.play("a"), ["d"]);
    assert.deepEqual(flow.play("b", "c"), [], "d is still speaking");
    assert.deepEqual(flow.play("d"), ["d"]);
    assert.equal(flow.play("d"), OVER);
  });
});

describe("conditions", () => {
  const lines: readonly [when: NonNullable<TestEdge[2]>["when"], text: string, taken: boolean][] = [
    ["yes", "oh yes", true],
    ["yes", "YES", false],
    [{ contains: "yes" }, "oh yes", true],
    [{ contains: "yes" }, "no", false],
    [{ lacks: "yes" }, "no", true],
    [{ lacks: "yes" }, "oh yes", false],
    [{ matches: "^y\\w+$" }, "yes", true],
    [{ matches: "^y\\w+$" }, "oh yes", false],
  ];
  for (const [when, text, taken] of lines) {
    it(`${JSON.stringify(when)} ${taken ? "is" : "is not"} met by "${text}"`, () => {
      const flow = rehearse("a b", [["a", "b", { when }]]);
      flow.next();
      flow.finish("a", text);
      assert.deepEqual(flow.next(), taken ? ["b"] : OVER);
    });
  }

  it("that do not match keep no join waiting, at any distance", () => {
    const flow = rehearse("a b c d e", [
      ["a", "b"],
      ["a", "c", { when: "deep" }],
      ["c", "d"],
      ["d", "e"],
      ["b", "e"],
    ]);
    flow.next();
    assert.deepEqual(flow.play("a"), ["b"]);
    assert.deepEqual(flow.play("b"), ["e"]);
    assert.equal(flow.play("e"), OVER);
  });

  it("that do not match keep no join waiting while participants speak that do not lead to it", () => {
    const flow = rehearse("a b c d e", [
      ["a", "b"],
      ["a", "c", { when: "deep" }],
      ["b", "d"],
      ["c", "d"],
    ]);
    assert.deepEqual(flow.next(), ["a", "e"]);
    assert.deepEqual(flow.play("a", "b"), ["b", "d"]);
    assert.deepEqual(flow.speaking, ["e", "d"]);
  });

  it("that are undecided keep a join waiting until they are decided", () => {
    const flow = rehearse("a b c d", [
      ["a", "b"],
      ["a", "c"],
      ["b", "d"],
      ["c", "d", { when: "yes" }],
    ]);
    flow.next();
    flow.play("a");
    assert.deepEqual(flow.play("b"), [], "c may still say yes");
    assert.deepEqual(flow.play("c"), ["d"]);
    assert.equal(flow.play("d"), OVER);
  });

  it("on two edges between the same participants start the target once, when both match", () => {
    const flow = rehearse("a b", [
      ["a", "b", { when: "red" }],
      ["a", "b", { when: "blue" }],
    ]);
    flow.next();
    flow.finish("a", "red and blue");
    assert.deepEqual(flow.next(), ["b"]);
    assert.equal(flow.play("b"), OVER);
  });

  it("test the message of the turn, not a later answer to the user", () => {
    const flow = rehearse("a b c", [
      ["a", "b", { when: "left" }],
      ["a", "c", { when: "right" }],
    ]);
    flow.next();
    flow.finish("a", "left");
    flow.interrupt();
    flow.ask("a", "right");
    assert.deepEqual(flow.next(), ["b"]);
  });

  it("test an interrupted message once it was continued, and not before", () => {
    const flow = rehearse("a b", [["a", "b", { when: "partial" }]]);
    flow.next();
    flow.interrupt();
    assert.deepEqual(flow.next(), ["a"]);
    assert.deepEqual(flow.play("a"), ["b"]);
  });
});

describe("a loop", () => {
  const review: readonly TestEdge[] = [
    ["writer", "critic"],
    ["critic", "writer", { when: { lacks: "APPROVE" } }],
    ["critic", "printer", { when: "APPROVE" }],
  ];

  it("repeats until its exit is taken", () => {
    const flow = rehearse("writer critic printer", review, "writer");
    assert.deepEqual(flow.next(), ["writer"]);
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(flow.play("writer"), ["critic"]);
      assert.deepEqual(flow.play("critic"), ["writer"]);
    }
    flow.play("writer");
    flow.finish("critic", "APPROVE");
    assert.deepEqual(flow.next(), ["printer"]);
    assert.equal(flow.play("printer"), OVER);
  });

  it("waits only for itself when it starts with a join", () => {
    const flow = rehearse("a b writer critic printer", [["a", "writer"], ["b", "writer"], ...review]);
    flow.next();
    assert.deepEqual(flow.play("a"), []);
    assert.deepEqual(flow.play("b"), ["writer"]);
    assert.deepEqual(flow.play("writer", "critic"), ["critic", "writer"]);
  });

  it("without incoming edges starts with the first participant of the team", () => {
    assert.deepEqual(rehearse("writer critic printer", review).next(), ["writer"]);
    assert.deepEqual(
      rehearse("a b c d", [
        ["c", "b"],
        ["b", "c"],
        ["c", "d"],
        ["d", "d"],
      ]).next(),
      ["a", "b"],
    );
  });

  it("of a participant with itself is a loop too", () => {
    const flow = rehearse(
      "a b",
      [
        ["a", "a", { when: "more" }],
        ["a", "b", { when: { lacks: "more" } }],
      ],
      "a",
    );
    flow.next();
    flow.finish("a", "more");
    assert.deepEqual(flow.next(), ["a"]);
    assert.deepEqual(flow.play("a"), ["b"]);
  });

  it("joins the branches in it, in every round", () => {
    const flow = rehearse(
      "plan left right sum",
      [
        ["plan", "left"],
        ["plan", "right"],
        ["left", "sum"],
        ["right", "sum"],
        ["sum", "plan", { when: "again" }],
      ],
      "plan",
    );
    flow.next();
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(flow.play("plan"), ["left", "right"]);
      assert.deepEqual(flow.play("left"), []);
      assert.deepEqual(flow.play("right"), ["sum"]);
      flow.finish("sum", "again");
      assert.deepEqual(flow.next(), ["plan"]);
    }
  });

  it("may take another branch in another round with `any`", () => {
    const flow = rehearse(
      "plan left right sum",
      [
        ["plan", "left", { when: "left" }],
        ["plan", "right", { when: "right" }],
        ["left", "sum", any],
        ["right", "sum", any],
        ["sum", "plan"],
      ],
      "plan",
    );
    flow.next();
    for (const side of ["left", "right", "right", "left"]) {
      flow.finish("plan", side);
      assert.deepEqual(flow.next(), [side]);
      assert.deepEqual(flow.play(side), ["sum"]);
      assert.deepEqual(flow.play("sum"), ["plan"]);
    }
  });

  it("waits for all that may repeat it, and repeats once for them", () => {
    const flow = rehearse(
      "writer one two",
      [
        ["writer", "one"],
        ["writer", "two"],
        ["one", "writer", { when: "redo" }],
        ["two", "writer", { when: "redo" }],
      ],
      "writer",
    );
    flow.next();
    flow.play("writer");
    flow.finish("one", "redo");
    assert.deepEqual(flow.next(), [], "two may still ask for more");
    flow.finish("two", "redo");
    assert.deepEqual(flow.next(), ["writer"]);
    assert.deepEqual(flow.play("writer"), ["one", "two"]);
    flow.finish("two", "redo");
    flow.finish("one", "good");
    assert.deepEqual(flow.next(), ["writer"]);
  });

  it("whose participants only wait for each other continues with the first in topological order", () => {
    const flow = rehearse(
      "plan extra notes draft quotes final",
      [
        ["plan", "extra", { when: "extra" }],
        ["extra", "draft"],
        ["notes", "draft"],
        ["draft", "final"],
        ["quotes", "final"],
        ["final", "plan", { when: "redo" }],
      ],
      ["plan", "notes", "quotes"],
    );
    flow.next();
    assert.deepEqual(flow.play("notes", "quotes"), [], "plan may still ask for extra");
    assert.deepEqual(flow.play("plan"), ["draft"], "final could send it round to extra, and itself waits for draft");
    assert.deepEqual(flow.play("draft"), ["final"]);
    flow.finish("final", "redo");
    assert.deepEqual(flow.next(), ["plan"]);
    flow.finish("plan", "extra");
    assert.deepEqual(flow.next(), ["extra"]);
    assert.deepEqual(flow.play("extra", "draft"), ["draft", "final"]);
    assert.equal(flow.play("final"), OVER);
  });

  it("never gives a participant two turns at once: a token that arrives in between waits", () => {
    const flow = rehearse(
      "slow fast",
      [
        ["fast", "slow"],
        ["fast", "fast", { when: "more" }],
      ],
      ["fast", "slow"],
    );
    assert.deepEqual(flow.next(), ["slow", "fast"]);
    flow.finish("fast", "more");
    assert.deepEqual(flow.next(), ["fast"]);
    assert.deepEqual(flow.play("fast"), []);
    assert.deepEqual(flow.play("slow"), ["slow"]);
    assert.deepEqual(flow.play("slow"), ["slow"]);
    assert.equal(flow.play("slow"), OVER);
  });
});

describe("continuing", () => {
  const diamond: readonly TestEdge[] = [
    ["a", "b"],
    ["a", "c"],
    ["b", "d"],
    ["c", "d"],
  ];

  it("after an interrupt runs only the participants that had not finished", () => {
    const flow = rehearse("a b c d", diamond);
    flow.next();
    flow.play("a", "b");
    flow.interrupt();
    assert.deepEqual(flow.next(), ["c"]);
    assert.deepEqual(flow.play("c"), ["d"]);
    assert.equal(flow.play("d"), OVER);
  });

  it("counts a turn once that ended before the next selection", () => {
    const flow = rehearse("a b c d", diamond);
    flow.next();
    flow.play("a");
    flow.finish("b");
    flow.interrupt();
    assert.deepEqual(flow.next(), ["c"], "b is done");
    flow.finish("c");
    flow.interrupt();
    assert.deepEqual(flow.next(), ["d"]);
    flow.finish("d");
    flow.interrupt();
    assert.equal(flow.next(), OVER);
  });

  it("is not affected by answers to the user", () => {
    const flow = rehearse("a b c d", diamond);
    flow.next();
    flow.play("a", "b");
    flow.interrupt();
    for (const name of ["a", "b", "c", "d"]) flow.ask(name, "answer");
    assert.deepEqual(flow.next(), ["c"]);
  });

  it("starts over after the end, with all entries", () => {
    const flow = rehearse("a b c d", diamond);
    for (let task = 0; task < 2; task++) {
      assert.deepEqual(flow.next(), ["a"]);
      flow.play("a", "b", "c");
      assert.equal(flow.play("d"), OVER);
    }
  });

  it("starts over after a stop", () => {
    const flow = rehearse("a b c d", diamond);
    flow.next();
    flow.play("a");
    flow.interrupt("stop");
    assert.deepEqual(flow.next(), ["a"]);
  });

  it("starts over from an invalid note", () => {
    const count = (running: unknown, tokens: unknown = [], seen: unknown = 0): unknown => ({ seen, running, tokens });
    const notes = [
      null,
      "a",
      [],
      {},
      count([["no one", 0]]),
      count([["b", "1"]]),
      count([["b", 0]], [["b>a", 1]]),
      count([["b", 0]], {}),
      count([["b", 0]], [], -1),
      count([["b", 0]], [], 0.5),
    ];
    for (const note of notes) {
      const flow = rehearse("a b c d", diamond);
      flow.replaceNote(note);
      assert.deepEqual(flow.next(), ["a"], JSON.stringify(note));
    }
    const flow = rehearse("a b c d", diamond);
    flow.replaceNote(count([["b", 0]], [["c>d", 1]]));
    assert.deepEqual(flow.next(), ["b"], "this one fits");
  });

  it("stores no more after many rounds than after one", () => {
    const flow = rehearse(
      "a b",
      [
        ["a", "b"],
        ["b", "a"],
      ],
      "a",
    );
    flow.next();
    flow.play("a", "b");
    const early = flow.note.length;
    for (let round = 0; round < 200; round++) flow.play("a", "b");
    assert.ok(flow.note.length <= early + 4, "two counters may have grown by two digits");
  });
});

it("a hundred branches can be forked and joined", () => {
  const branches = Array.from({ length: 100 }, (_, at) => `b${at}`);
  const flow = new GraphSimulation(
    graphTeam(
      ["a", ...branches, "z"],
      branches.flatMap((name): TestEdge[] => [
        ["a", name],
        [name, "z"],
      ]),
    ),
  );
  flow.next();
  assert.deepEqual(flow.play("a"), branches);
  assert.deepEqual(flow.play(...branches.slice(1)), []);
  assert.deepEqual(flow.play("b0"), ["z"]);
  assert.equal(flow.play("z"), OVER);
});

const UNCLOSED = "is a regular expression that has a ( without a ); add the ), or write \\( for a parenthesis";

it("a graph that cannot run is rejected with all problems", () => {
  const team = graphTeam(
    ["a"],
    [
      ["a", "a", { when: { matches: "(" } }],
      ["b", "a"],
    ],
  );
  assert.throws(
    () => graphManager(team),
    (error) => {
      assert.ok(error instanceof GavelError);
      assert.deepEqual(error.data["problems"], [
        { path: "graph.edges[0].when.matches", message: UNCLOSED },
        { path: "graph.edges[1].from", message: 'no participant is called "b"' },
      ]);
      return true;
    },
  );
});
