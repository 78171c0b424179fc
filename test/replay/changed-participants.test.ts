import assert from "node:assert/strict";
import { microtasks } from "../../server/engine/testing/microtasks.ts";
import { call } from "../../server/engine/testing/scripted-model.ts";
import { type TestTeamOptions, testTeam } from "../../server/engine/testing/test-team.ts";
import { ToolInterrupt } from "../../server/engine/tool.ts";
import type { ParticipantDefinition } from "../../shared/contract/definition.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replaySuite } from "./replay-suite.ts";
import { scriptedReplies } from "./scripted-replies.ts";
import { TeamObserver } from "./team-observer.ts";

const member = (name: string): ParticipantDefinition => ({ name, model: name, tools: ["look", "deploy", "confirm"] });

/** Ann stays; the participants of the first run are ann, old and gone. */
const make = (observer: TeamObserver): TestTeamOptions => ({
  speakers: {
    ann: observer.model(
      scriptedReplies(
        [
          { say: "Ann is here." },
          { say: "Let me see.", calls: [call("a1", "look"), call("a2", "deploy")] },
          { say: "Ann has seen." },
        ],
        "FINIS",
      ),
    ),
    old: observer.model(scriptedReplies([{ say: "Old is here." }], "FINIS")),
    gone: observer.model(scriptedReplies([{ say: "Gone is here. FINIS" }], "FINIS")),
    bea: observer.model(
      scriptedReplies(
        [{ calls: [call("b1", "confirm")] }, { say: "Bea has seen.", retries: true }, { say: "It is done. FINIS" }],
        "FINIS",
      ),
    ),
    cid: observer.model(
      scriptedReplies([{ say: "Cid is new." }, { calls: [call("c1", "look")] }, { say: "Cid agrees." }]),
    ),
  },
  participants: ["ann", "old", "gone"].map(member),
  tools: [
    observer.tool("look", () => microtasks(2).then(() => "seen")),
    observer.tool("deploy", () => microtasks(3).then(() => "deployed"), { approval: "ask" }),
    observer.tool("confirm", (_, { metadata }) => {
      if (metadata["resumed"] !== true) throw new ToolInterrupt({ sure: "?" });
      return "confirmed";
    }),
  ],
  termination: { textMention: { text: "FINIS" } },
});

/** A run of the first participants, and then one is replaced, one is removed, and one is added. */
async function before(): Promise<readonly TeamEvent[]> {
  const { team, definition, journal } = testTeam(make(new TeamObserver()));
  await team.run("Who are we?");
  team.changeParticipants({
    definition: { ...definition, participants: ["ann", "bea", "cid"].map(member) },
    changes: [
      { kind: "replaced", name: "old", by: "bea" },
      { kind: "removed", name: "gone" },
      { kind: "added", name: "cid" },
    ],
  });
  assert.deepEqual(team.state.former, ["old", "gone"]);
  return journal.kept;
}

const team: RecordedTeam = { name: "changed participants", messageTargets: ["ann", "bea", "cid"], make, before };

replaySuite(team, 1_000);
