import { microtasks } from "../../server/engine/testing/microtasks.ts";
import { aborted, call } from "../../server/engine/testing/scripted-model.ts";
import { ToolInterrupt } from "../../server/engine/tool.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replaySuite } from "./replay-suite.ts";
import { scriptedReplies } from "./scripted-replies.ts";

/**
 * Two assistants with parallel tools: one that fails, one that needs approval, one that interrupts itself, and two whose
 * results the user reviews.
 */
const team: RecordedTeam = {
  name: "round robin",
  messageTargets: ["ann", "bob"],
  make: (observer) => ({
    speakers: {
      ann: observer.model(
        scriptedReplies(
          [
            { say: "Let me see.", calls: [call("a1", "look", 1), call("a2", "fail"), call("a3", "deploy")] },
            { calls: [call("a4", "look", 2)] },
            { say: "Ann has seen." },
            { say: "Ann agrees." },
          ],
          "FINIS",
        ),
      ),
      bob: observer.model(
        scriptedReplies(
          [
            { calls: [call("b1", "confirm"), call("b2", "observer")] },
            { say: "Bob has seen.", retries: true },
            { say: "FINIS" },
          ],
          "FINIS",
        ),
      ),
    },
    tools: [
      observer.tool("look", async (input, { output }) => {
        await microtasks(2);
        output("looking");
        await microtasks(1);
        return input;
      }),
      observer.tool("fail", async () => {
        await microtasks(1);
        throw new Error("There is no such thing.");
      }),
      observer.tool("deploy", () => microtasks(3).then(() => "deployed"), { approval: "ask" }),
      observer.tool("confirm", (_, { metadata }) => {
        if (metadata["resumed"] !== true) throw new ToolInterrupt({ sure: "?" });
        return "confirmed";
      }),
      observer.tool("observer", async (_, { signal }) => {
        await Promise.race([microtasks(6), aborted(signal)]);
        signal.throwIfAborted();
        return "seen";
      }),
    ],
    more: { ann: { review: ["look"] }, bob: { review: ["observer"] } },
    termination: { textMention: { text: "FINIS" } },
  }),
};

replaySuite(team, 1_200);
