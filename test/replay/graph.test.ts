import { microtasks } from "../../server/engine/testing/conversation-problem.ts";
import { aborted, call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replayed } from "./replay-suite.ts";
import { scripted } from "./script.ts";

/** Resolves after that many turns of the event loop. */
async function turnsOfTheLoop(count: number): Promise<void> {
  for (let done = 0; done < count; done++) await new Promise((resolve) => setImmediate(resolve));
}

/** Two branches at once, joined, in a loop that is gone through twice; with tools of every fate, and one that never stops. */
const team: RecordedTeam = {
  name: "graph",
  asked: ["plan", "join"],
  make: (watch) => ({
    kind: "graph",
    speakers: {
      plan: watch.model(scripted([{ say: "Plan one." }, { say: "Plan two." }])),
      left: watch.model(
        scripted([
          { say: "One moment.", calls: [call("l1", "wait"), call("l2", "stubborn")] },
          { say: "Left one." },
          { say: "Left two." },
        ]),
      ),
      right: watch.model(
        scripted([
          { calls: [call("r1", "background"), call("r2", "deploy")] },
          { say: "Right one." },
          { say: "Right two." },
        ]),
      ),
      join: watch.model(scripted([{ say: "Once again." }, { say: "All joined." }])),
      last: watch.model(scripted([{ say: "It is done." }])),
    },
    tools: [
      watch.tool("wait", () => turnsOfTheLoop(2).then(() => "waited"), { onInterrupt: "wait" }),
      watch.tool("background", () => turnsOfTheLoop(3).then(() => "done behind the scenes"), {
        onInterrupt: "background",
      }),
      watch.tool("deploy", () => microtasks(3).then(() => "deployed"), { approval: "ask" }),
      watch.tool("stubborn", async (_, { signal }) => {
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

replayed(team, 1_500);
