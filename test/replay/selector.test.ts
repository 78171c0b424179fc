import type { ModelRequest } from "../../server/engine/model.ts";
import { textOfRequest } from "../../server/engine/testing/answering-model.ts";
import { microtasks } from "../../server/engine/testing/conversation-problem.ts";
import { call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replayed } from "./replay-suite.ts";
import { scripted } from "./script.ts";
import type { Line } from "./watch.ts";

/** Chooses by what was said last that one of them says alone; it is not clear at first when it means cid. */
function choose({ items }: ModelRequest): Line {
  const lines = textOfRequest({ participant: "", instructions: "", tools: [], items: items.slice(0, 1) }).split("\n");
  const last = lines.findLast((line) => /^(ann|bob|cid): /.test(line)) ?? "";
  if (last.startsWith("bob")) return { say: items.length === 1 ? "cid or ann" : "It is cid .", retries: true };
  return { say: last.startsWith("ann") ? "bob" : "ann" };
}

/** A model chooses who speaks, not always clearly. */
const team: RecordedTeam = {
  name: "selector",
  asked: ["ann", "cid"],
  heedsTalk: true,
  make: (watch) => ({
    kind: "selector",
    participants: ["ann", "bob", "cid"].map((name) => ({
      name,
      model: name,
      description: `Is ${name}.`,
      tools: ["look"],
    })),
    speakers: {
      ann: watch.model(scripted([{ say: "I begin." }, { say: "I go on." }], "FINIS")),
      bob: watch.model(
        scripted([{ calls: [call("b1", "look")] }, { say: "I have looked." }, { say: "FINIS" }], "FINIS"),
      ),
      cid: watch.model(scripted([{ say: "I see it too." }], "FINIS")),
      chief: watch.model(choose),
    },
    tools: [watch.tool("look", () => microtasks(3).then(() => "seen"))],
    selector: { model: "chief" },
    termination: { textMention: { text: "FINIS" } },
  }),
};

replayed(team, 700);
