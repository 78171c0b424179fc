import type { ModelRequest } from "../../server/engine/model.ts";
import { textOfRequest } from "../../server/engine/testing/answering-model.ts";
import { call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replayed } from "./replay-suite.ts";
import { MORE, scripted } from "./script.ts";
import type { Line } from "./watch.ts";

const judgement = (satisfied: boolean, next: string): Line => ({
  say: JSON.stringify({
    is_request_satisfied: { reason: "All have spoken.", answer: satisfied },
    is_in_loop: { reason: "", answer: false },
    is_progress_being_made: { reason: "", answer: true },
    next_speaker: { reason: "", answer: next },
    instruction_or_question: { reason: "", answer: "Say what you know." },
  }),
});

/** Judges by what was said; its first ledger after ann is rubbish. */
function orchestrate(request: ModelRequest): Line {
  const text = textOfRequest(request);
  if (request.output !== undefined) {
    if (text.includes("Bob knows.") || text.includes(MORE)) return judgement(true, "bob");
    if (!text.includes("Ann knows.")) return judgement(false, "ann");
    return request.items.length === 1 ? { say: "Well then." } : judgement(false, "bob");
  }
  if (text.includes("four short lists")) return { say: "The facts.", retries: true };
  return { say: text.includes("Write the answer") ? "It is four." : "The plan." };
}

/** An orchestrator that keeps ledgers, and two who work for it. */
const team: RecordedTeam = {
  name: "magentic",
  asked: ["ann", "bob"],
  heedsTalk: true,
  make: (watch) => ({
    kind: "magentic",
    participants: [
      { name: "ann", model: "ann", description: "Looks.", tools: ["deploy"] },
      { name: "bob", model: "bob", description: "Knows." },
    ],
    speakers: {
      ann: watch.model(scripted([{ calls: [call("a1", "deploy")] }, { say: "Ann knows." }])),
      bob: watch.model(scripted([{ say: "Bob knows." }])),
      chief: watch.model(orchestrate),
    },
    tools: [watch.tool("deploy", () => "deployed", { approval: "ask" })],
    magentic: { model: "chief" },
  }),
};

replayed(team, 800);
