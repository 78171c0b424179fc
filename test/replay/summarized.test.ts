import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContextItem, ModelRequest } from "../../server/engine/model.ts";
import { microtasks } from "../../server/engine/testing/microtasks.ts";
import { call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { record } from "./replay.ts";
import { replaySuite } from "./replay-suite.ts";
import { ANSWER, isAsked, SCRIPT_ENDED } from "./scripted-replies.ts";
import type { ScriptedReply } from "./team-observer.ts";

/** About 300 tokens, in one chunk of a stream. */
const LONG = "word-".repeat(300);

/**
 * A participant's replies, step by step, also where a summary stands for the earlier ones: each reply ends with its number,
 * and so does a summary of it.
 */
function numbered(
  name: string,
  lines: readonly ScriptedReply[],
  end: string,
): (request: ModelRequest) => ScriptedReply {
  const mark = new RegExp(`\\[${name} (\\d+)\\]`, "g");
  return ({ items }) => {
    const texts = items.map((item) => JSON.stringify("content" in item && !isPartial(item) ? item.content : ""));
    const done = Math.max(0, ...texts.flatMap((text) => [...text.matchAll(mark)].map(([, number]) => Number(number))));
    if (texts[0]?.startsWith('"The conversation:') === true) return { say: `A summary. [${name} ${done}]` };
    if (isAsked(items, name)) return { say: ANSWER };
    const line = lines[done];
    if (line === undefined) return { say: `${SCRIPT_ENDED} ${end}` };
    // After the last one nothing is counted: a summary cannot tell a partial message from a complete one.
    return line.say === end ? line : { ...line, say: `${line.say ?? ""} [${name} ${done + 1}]` };
  };
}

const isPartial = (item: ContextItem): boolean => item.role === "assistant" && item.partial === true;

/** Two assistants whose contexts become too long: one between the steps of a turn, with calls that wait for the user. */
const team: RecordedTeam = {
  name: "summarized contexts",
  messageTargets: ["ann", "bob"],
  make: (observer) => ({
    speakers: {
      ann: observer.model(
        numbered(
          "ann",
          [
            { say: `Let me see. ${LONG}`, calls: [call("a1", "look", 1), call("a2", "deploy")] },
            { say: `Ann has seen. ${LONG}` },
            { say: "Ann agrees." },
          ],
          "FINIS",
        ),
      ),
      bob: observer.model(numbered("bob", [{ say: `Bob listens. ${LONG}`, retries: true }, { say: "FINIS" }], "FINIS")),
    },
    tools: [
      observer.tool("look", () => microtasks(2).then(() => `seen ${LONG}`)),
      observer.tool("deploy", () => microtasks(3).then(() => "deployed"), { approval: "ask" }),
    ],
    more: {
      ann: { context: { kind: "summarized", size: 800 } },
      bob: { context: { kind: "summarized", size: 900 } },
    },
    termination: { textMention: { text: "FINIS" } },
  }),
};

replaySuite(team, 1_000);

test("the recorded run summarizes the contexts of both, one of them within a turn", async () => {
  const { events } = await record(team);
  const open = new Set<string>();
  const places = events.flatMap((event) => {
    if (event.type === "tool/requested") open.add(event.participant);
    if (event.type === "reasoning/conclusion") open.delete(event.from);
    return event.type === "context/summarized" ? [`${event.participant} ${open.has(event.participant)}`] : [];
  });
  assert.ok(places.includes("ann true"), places.join());
  assert.ok(
    places.some((place) => place.startsWith("bob")),
    places.join(),
  );
});
