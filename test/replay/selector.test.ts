import type { ModelRequest } from "../../server/engine/model.ts";
import { textOfRequest } from "../../server/engine/testing/answering-model.ts";
import { microtasks } from "../../server/engine/testing/microtasks.ts";
import { call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replaySuite } from "./replay-suite.ts";
import { scriptedReplies } from "./scripted-replies.ts";
import type { ScriptedReply } from "./team-observer.ts";

/** Chooses by the last message; its first answer is ambiguous when it means cid. */
function choose({ items }: ModelRequest): ScriptedReply {
  const lines = textOfRequest({ participant: "", instructions: "", tools: [], items: items.slice(0, 1) }).split("\n");
  const last = lines.findLast((line) => /^(ann|bob|cid): /.test(line)) ?? "";
  if (last.startsWith("bob")) return { say: items.length === 1 ? "cid or ann" : "It is cid .", retries: true };
  return { say: last.startsWith("ann") ? "bob" : "ann" };
}

/** A model selects the speaker, sometimes ambiguously. */
const team: RecordedTeam = {
  name: "selector",
  messageTargets: ["ann", "cid"],
  choosesByContent: true,
  make: (observer) => ({
    kind: "selector",
    participants: ["ann", "bob", "cid"].map((name) => ({
      name,
      model: name,
      description: `Is ${name}.`,
      tools: ["look"],
    })),
    speakers: {
      ann: observer.model(scriptedReplies([{ say: "I start." }, { say: "I continue." }], "FINIS")),
      bob: observer.model(
        scriptedReplies([{ calls: [call("b1", "look")] }, { say: "I have looked." }, { say: "FINIS" }], "FINIS"),
      ),
      cid: observer.model(scriptedReplies([{ say: "I see it too." }], "FINIS")),
      chief: observer.model(choose),
    },
    tools: [observer.tool("look", () => microtasks(3).then(() => "seen"))],
    selector: { model: "chief" },
    termination: { textMention: { text: "FINIS" } },
  }),
};

replaySuite(team, 700);
