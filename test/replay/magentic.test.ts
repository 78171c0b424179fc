import type { ModelRequest } from "../../server/engine/model.ts";
import { textOfRequest } from "../../server/engine/testing/answering-model.ts";
import { call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replaySuite } from "./replay-suite.ts";
import { SCRIPT_ENDED, scriptedReplies } from "./scripted-replies.ts";
import type { ScriptedReply } from "./team-observer.ts";

const judgement = (satisfied: boolean, next: string): ScriptedReply => ({
  say: JSON.stringify({
    is_request_satisfied: { reason: "All have spoken.", answer: satisfied },
    is_in_loop: { reason: "", answer: false },
    is_progress_being_made: { reason: "", answer: true },
    next_speaker: { reason: "", answer: next },
    instruction_or_question: { reason: "", answer: "Say what you know." },
  }),
});

/** Evaluates the conversation; its first ledger after ann is not valid. */
function orchestrate(request: ModelRequest): ScriptedReply {
  const text = textOfRequest(request);
  if (request.output !== undefined) {
    if (text.includes("Bob knows.") || text.includes(SCRIPT_ENDED)) return judgement(true, "bob");
    if (!text.includes("Ann knows.")) return judgement(false, "ann");
    return request.items.length === 1 ? { say: "Well then." } : judgement(false, "bob");
  }
  if (text.includes("four short lists")) return { say: "The facts.", retries: true };
  return { say: text.includes("Write the answer") ? "It is four." : "The plan." };
}

/** An orchestrator with ledgers, and two participants. */
const team: RecordedTeam = {
  name: "magentic",
  messageTargets: ["ann", "bob"],
  choosesByContent: true,
  make: (observer) => ({
    kind: "magentic",
    participants: [
      { name: "ann", model: "ann", description: "Looks.", tools: ["deploy"] },
      { name: "bob", model: "bob", description: "Knows." },
    ],
    speakers: {
      ann: observer.model(scriptedReplies([{ calls: [call("a1", "deploy")] }, { say: "Ann knows." }])),
      bob: observer.model(scriptedReplies([{ say: "Bob knows." }])),
      chief: observer.model(orchestrate),
    },
    tools: [observer.tool("deploy", () => "deployed", { approval: "ask" })],
    magentic: { model: "chief" },
  }),
};

replaySuite(team, 800);
