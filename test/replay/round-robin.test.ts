import { microtasks } from "../../server/engine/testing/conversation-problem.ts";
import { aborted, call } from "../../server/engine/testing/scripted-model.ts";
import { ToolInterrupt } from "../../server/engine/tool.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replayed } from "./replay-suite.ts";
import { scripted } from "./script.ts";

/** Two assistants in turn, with tools at once: one that fails, one that may not run unasked, one that asks something itself. */
const team: RecordedTeam = {
  name: "round robin",
  asked: ["ann", "bob"],
  make: (watch) => ({
    speakers: {
      ann: watch.model(
        scripted(
          [
            { say: "Let me see.", calls: [call("a1", "look", 1), call("a2", "fail"), call("a3", "deploy")] },
            { calls: [call("a4", "look", 2)] },
            { say: "Ann has seen." },
            { say: "Ann agrees." },
          ],
          "FINIS",
        ),
      ),
      bob: watch.model(
        scripted(
          [
            { calls: [call("b1", "confirm"), call("b2", "watch")] },
            { say: "Bob has seen.", retries: true },
            { say: "FINIS" },
          ],
          "FINIS",
        ),
      ),
    },
    tools: [
      watch.tool("look", async (input, { output }) => {
        await microtasks(2);
        output("looking");
        await microtasks(1);
        return input;
      }),
      watch.tool("fail", async () => {
        await microtasks(1);
        throw new Error("There is no such thing.");
      }),
      watch.tool("deploy", () => microtasks(3).then(() => "deployed"), { approval: "ask" }),
      watch.tool("confirm", (_, { metadata }) => {
        if (metadata["resumed"] !== true) throw new ToolInterrupt({ sure: "?" });
        return "confirmed";
      }),
      watch.tool("watch", async (_, { signal }) => {
        await Promise.race([microtasks(6), aborted(signal)]);
        signal.throwIfAborted();
        return "seen";
      }),
    ],
    termination: { textMention: { text: "FINIS" } },
  }),
};

replayed(team, 1_200);
