import type { ContextItem, ModelRequest } from "../../server/engine/model.ts";
import { microtasks } from "../../server/engine/testing/microtasks.ts";
import { call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replaySuite } from "./replay-suite.ts";
import { ANSWER, isAsked, SCRIPT_ENDED, scriptedReplies } from "./scripted-replies.ts";
import type { ScriptedReply } from "./team-observer.ts";

const schema = { type: "object", properties: { verdict: { type: "string" } }, required: ["verdict"] };

/** The first answer of each turn does not match the schema. */
function judge(request: ModelRequest): ScriptedReply {
  const { items, participant } = request;
  if (items.at(-1)?.role === "user" && isComplaint(items.at(-1))) return verdictOn(items.slice(0, -2), participant);
  if (isAsked(items, participant)) return { say: "I would say it is well." };
  const end = JSON.stringify({ verdict: `${SCRIPT_ENDED} FINIS` });
  const line = scriptedReplies([{ calls: [call("j1", "look")] }, { say: "It is well." }, handOver("j2", "clerk")])(
    request,
  );
  return line.say?.startsWith(SCRIPT_ENDED) ? { say: end } : line;
}

const isComplaint = (item: ContextItem | undefined): boolean =>
  item?.role === "user" && item.source === "system" && String(item.content).includes("does not match");

const verdictOn = (items: readonly ContextItem[], participant: string): ScriptedReply => ({
  say: JSON.stringify({ verdict: isAsked(items, participant) ? ANSWER : "well" }),
  retries: true,
});

const handOver = (ref: string, target: string): ScriptedReply => ({ calls: [call(ref, `transfer_to_${target}`)] });

/** Handoffs with and without other calls; a model that is asked again after an invalid answer; endpoints that fail once. */
const team: RecordedTeam = {
  name: "swarm",
  messageTargets: ["triage", "clerk"],
  make: (observer) => ({
    kind: "swarm",
    speakers: {
      triage: observer.model(
        scriptedReplies(
          [
            { say: "Let me see.", calls: [call("d1", "look"), call("d2", "deploy")] },
            { calls: [call("d3", "look"), call("d4", "transfer_to_judge")] },
          ],
          "FINIS",
        ),
      ),
      judge: observer.model(judge),
      clerk: observer.model(
        scriptedReplies(
          [{ say: "I write.", retries: true }, { calls: [call("k1", "confirm")] }, { say: "It is written. FINIS" }],
          "FINIS",
        ),
      ),
    },
    more: {
      triage: { handoffs: ["judge"] },
      judge: { handoffs: ["clerk"], output: { schema } },
    },
    tools: [
      observer.tool("look", () => microtasks(2).then(() => "seen")),
      observer.tool("deploy", () => microtasks(2).then(() => "deployed"), { approval: "ask" }),
      observer.tool("confirm", () => "confirmed", { approval: "ask" }),
    ],
    termination: { textMention: { text: "FINIS" } },
  }),
};

replaySuite(team, 1_000);
