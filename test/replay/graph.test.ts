import { microtasks } from "../../server/engine/testing/microtasks.ts";
import { aborted, call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replaySuite } from "./replay-suite.ts";
import { scriptedReplies } from "./scripted-replies.ts";

/** Resolves after `turns` turns of the event loop. */
async function turnsOfTheLoop(count: number): Promise<void> {
  for (let done = 0; done < count; done++) await new Promise((resolve) => setImmediate(resolve));
}

/** Two parallel branches with a join, in a loop that runs twice; tools with every `onInterrupt`; one never stops. */
const team: RecordedTeam = {
  name: "graph",
  askedBeside: "plan",
  messageTargets: ["plan", "join"],
  make: (observer) => ({
    kind: "graph",
    speakers: {
      plan: observer.model(scriptedReplies([{ say: "Plan one." }, { say: "Plan two." }])),
      left: observer.model(
        scriptedReplies([
          { say: "One moment.", calls: [call("l1", "wait"), call("l2", "stubborn")] },
          { say: "Left one." },
          { say: "Left two." },
        ]),
      ),
      right: observer.model(
        scriptedReplies([
          { calls: [call("r1", "background"), call("r2", "deploy")] },
          { say: "Right one." },
          { say: "Right two." },
        ]),
      ),
      join: observer.model(scriptedReplies([{ say: "Once again." }, { say: "All joined." }])),
      last: observer.model(scriptedReplies([{ say: "It is done." }])),
    },
    tools: [
      observer.tool("wait", () => turnsOfTheLoop(2).then(() => "waited"), { onInterrupt: "wait" }),
      observer.tool("background", () => turnsOfTheLoop(3).then(() => "done behind the scenes"), {
        onInterrupt: "background",
      }),
      observer.tool("deploy", () => microtasks(3).then(() => "deployed"), { approval: "ask" }),
      observer.tool("stubborn", async (_, { signal }) => {
        await Promise.race([turnsOfTheLoop(1), aborted(signal)]);
        if (signal.aborted) await new Promise(() => {});
        return "moved";
      }),
    ],
    graph: {
      edges: [
        { from: "plan", to: "left" },
        { from: "plan", to: "right" },
        { from: "left", to: "join" },
        { from: "right", to: "join" },
        { from: "join", to: "plan", when: "again" },
        { from: "join", to: "last", when: { lacks: "again" } },
      ],
      entry: "plan",
    },
  }),
};

replaySuite(team, 1_500);
