import assert from "node:assert/strict";
import { test } from "node:test";
import type { ParticipantDefinition } from "../../../shared/contract/definition.ts";
import { ScriptedModel, say } from "../testing/scripted-model.ts";
import { afterReply, testTeam } from "../testing/test-team.ts";

const shown = ({ lastItems }: ScriptedModel): string[] =>
  lastItems.flatMap((item) => (item.role === "user" ? [`${item.source}: ${item.content}`] : []));

test("a message that only its addressee may see is shown to no one else; its answer is visible to all", async () => {
  const ann = new ScriptedModel(say("from ann"));
  const bob = new ScriptedModel(say("from bob"));
  const threads: string[][] = [];
  const { team, next, said, reopened } = testTeam({
    speakers: {
      ann,
      bob,
      cid: (thread) => {
        threads.push(thread.map(({ content }) => String(content)));
        return "from cid";
      },
    },
    maxTurns: 4,
  });

  const ended = next("run/ended");
  await team.sendUserMessage("ann", ["for you alone"], { visibility: "target" });
  await ended;

  assert.deepEqual(said().slice(0, 4), ["user: for you alone", "ann: from ann", "ann: done", "bob: from bob"]);
  assert.deepEqual(shown(ann), ["user: for you alone"]);
  assert.deepEqual(shown(bob), ["ann: from ann", "ann: done"]);
  assert.deepEqual(threads, [["from ann", "done", "from bob"]]);
  const [, after] = reopened().team.inspect().contexts;
  assert.deepEqual(after?.tail, ["ann: from ann", "ann: done", "bob: from bob", "cid: from cid"]);
});

const research = (more: Partial<ParticipantDefinition> = {}): ParticipantDefinition => ({
  name: "research",
  kind: "team",
  team: { name: "R", kind: "roundRobin", participants: [{ name: "ann", model: "ann" }], maxTurns: 1 },
  ...more,
});

for (const kind of ["team", "societyOfMind"] as const) {
  test(`a ${kind} does not see what only another participant may see, and all of it sees what was sent to it`, async () => {
    const ann = new ScriptedModel(say("one"), say("two"));
    const { team } = testTeam({
      speakers: { ann, bob: () => "from bob", sum: new ScriptedModel(say("summed"), say("summed again")) },
      participants: [{ name: "bob" }, research({ kind, model: "sum" })],
    });

    await team.sendUserMessage("bob", ["for bob alone"], { visibility: "target", ...afterReply("pause") });
    await team.sendUserMessage("research", ["for research alone"], { visibility: "target", ...afterReply("pause") });

    assert.deepEqual(shown(ann), ["bob: from bob", "user: for research alone"]);
  });
}
