import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphEdge } from "../../../../shared/contract/definition.ts";
import { seededRandom } from "../../testing/random.ts";
import { ScriptedModel, say } from "../../testing/scripted-model.ts";
import { names, type TestTeam, testTeam } from "../../testing/test-team.ts";

const MAX_PATTERNS = 100;

/** A team in which ann says `text`, and as many edges as may have patterns lead on: one to cat, all others to bob. */
function branching(text: string, toCat: string): TestTeam {
  const edges = Array.from(
    { length: MAX_PATTERNS },
    (_, at): GraphEdge => ({
      from: "ann",
      to: at === 0 ? "cat" : "bob",
      when: { matches: at === 0 ? toCat : `on and \\d{${at}}` },
    }),
  );
  return testTeam({
    kind: "graph",
    graph: { entry: "ann", edges },
    speakers: { ann: new ScriptedModel(say(text)), ...names("bob", "cat") },
  });
}

test("other requests are answered while the edges of a long message are matched, and the right one is taken", async () => {
  const half = "and so on ".repeat(20_000);
  const { team, said } = branching(`${half}over to cat ${half}`, "\\bover\\s+to\\b");
  let turns = 0;
  let isMatching = false;
  const countTurn = (): void => {
    turns += 1;
    if (isMatching) setImmediate(countTurn);
  };
  team.onEvent((event) => {
    if (event.type === "reasoning/conclusion" && event.from === "ann") {
      isMatching = true;
      setImmediate(countTurn);
    }
    if (event.type === "speaker/selected") isMatching = false;
  });

  const result = await team.run("t");

  assert.ok(turns >= 5, `the event loop turned ${turns} times`);
  assert.deepEqual(said().slice(2), ["cat: cat"]);
  assert.equal(result.status.code, "success");
});

test("an edge that takes too long ends the run with a sentence that names it", async () => {
  const random = seededRandom(1);
  const text = Array.from({ length: 200_000 }, () => (random(2) === 0 ? "a" : "b")).join("");

  const { status } = await branching(text, "a[ab]{900}[cd]").team.run("t");

  assert.equal(status.code, "error");
  assert.equal(
    status.message,
    "An edge of the graph takes too long to test, with matches: a[ab]{900}[cd]; make the condition simpler.",
  );
});
