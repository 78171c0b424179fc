import type { ContextItem, ModelRequest } from "../../server/engine/model.ts";
import { microtasks } from "../../server/engine/testing/conversation-problem.ts";
import { call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replayed } from "./replay-suite.ts";
import { ANSWER, isAsked, MORE, scripted } from "./script.ts";
import type { Line } from "./watch.ts";

const schema = { type: "object", properties: { verdict: { type: "string" } }, required: ["verdict"] };

/** Its first answer of a turn never fits the schema. */
function judge(request: ModelRequest): Line {
  const { items, participant } = request;
  if (items.at(-1)?.role === "user" && isComplaint(items.at(-1))) return verdictOn(items.slice(0, -2), participant);
  if (isAsked(items, participant)) return { say: "I would say it is well." };
  const end = JSON.stringify({ verdict: `${MORE} FINIS` });
  const line = scripted([{ calls: [call("j1", "look")] }, { say: "It is well." }, handOver("j2", "clerk")])(request);
  return line.say?.startsWith(MORE) ? { say: end } : line;
}

const isComplaint = (item: ContextItem | undefined): boolean =>
  item?.role === "user" && item.source === "system" && String(item.content).includes("does not fit");

const verdictOn = (items: readonly ContextItem[], participant: string): Line => ({
  say: JSON.stringify({ verdict: isAsked(items, participant) ? ANSWER : "well" }),
  retries: true,
});

const handOver = (ref: string, target: string): Line => ({ calls: [call(ref, `transfer_to_${target}`)] });

/** Handoffs, with calls beside them and without; a model that is asked again for an answer that fits; endpoints that fail once. */
const team: RecordedTeam = {
  name: "swarm",
  asked: ["desk", "clerk"],
  make: (watch) => ({
    kind: "swarm",
    speakers: {
      desk: watch.model(
        scripted(
          [
            { say: "Let me see.", calls: [call("d1", "look"), call("d2", "deploy")] },
            { calls: [call("d3", "look"), call("d4", "transfer_to_judge")] },
          ],
          "FINIS",
        ),
      ),
      judge: watch.model(judge),
      clerk: watch.model(
        scripted(
          [{ say: "I write.", retries: true }, { calls: [call("k1", "confirm")] }, { say: "It is written. FINIS" }],
          "FINIS",
        ),
      ),
    },
    more: {
      desk: { handoffs: ["judge"] },
      judge: { handoffs: ["clerk"], output: { schema } },
    },
    tools: [
      watch.tool("look", () => microtasks(2).then(() => "seen")),
      watch.tool("deploy", () => microtasks(2).then(() => "deployed"), { approval: "ask" }),
      watch.tool("confirm", () => "confirmed", { approval: "ask" }),
    ],
    termination: { textMention: { text: "FINIS" } },
  }),
};

replayed(team, 1_000);
