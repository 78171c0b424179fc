import { microtasks } from "../../server/engine/testing/microtasks.ts";
import { call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replaySuite } from "./replay-suite.ts";
import { scriptedReplies } from "./scripted-replies.ts";

/** An assistant, a nested team with tools and pending calls, and a `societyOfMind`. */
const team: RecordedTeam = {
  name: "nested teams",
  askedBeside: "research/bob",
  messageTargets: ["chief", "research/bob", "research", "mind/cid"],
  nestedParticipants: { research: ["ann", "bob"], mind: ["cid", "dora"] },
  make: (observer) => ({
    speakers: {
      chief: observer.model(scriptedReplies([{ say: "Look into it." }, { say: "FINIS" }], "FINIS")),
      ann: observer.model(
        scriptedReplies([{ calls: [call("a1", "look"), call("a2", "deploy")] }, { say: "Ann knows." }], "That is all."),
      ),
      bob: observer.model(scriptedReplies([{ say: "Bob agrees. That is all." }], "That is all.")),
      cid: observer.model(scriptedReplies([{ calls: [call("c1", "look")] }, { say: "Cid thinks." }], "It stands.")),
      dora: observer.model(scriptedReplies([{ say: "It stands." }], "It stands.")),
      voice: observer.model(() => ({ say: "In short: yes." })),
    },
    participants: [
      { name: "chief", model: "chief" },
      {
        name: "research",
        kind: "team",
        team: {
          name: "Research",
          kind: "roundRobin",
          participants: [
            { name: "ann", model: "ann", tools: ["look", "deploy"] },
            { name: "bob", model: "bob" },
          ],
          termination: { textMention: { text: "That is all.", sources: ["ann", "bob"] } },
        },
      },
      {
        name: "mind",
        kind: "societyOfMind",
        model: "voice",
        team: {
          name: "Mind",
          kind: "roundRobin",
          participants: [
            { name: "cid", model: "cid", tools: ["look"] },
            { name: "dora", model: "dora" },
          ],
          termination: { textMention: { text: "It stands.", sources: ["cid", "dora"] } },
        },
      },
    ],
    tools: [
      observer.tool("look", () => microtasks(3).then(() => "seen")),
      observer.tool("deploy", () => microtasks(3).then(() => "deployed"), { approval: "ask" }),
    ],
    termination: { textMention: { text: "FINIS" } },
  }),
};

replaySuite(team, 1_500);
