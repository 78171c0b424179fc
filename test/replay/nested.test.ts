import { microtasks } from "../../server/engine/testing/conversation-problem.ts";
import { call } from "../../server/engine/testing/scripted-model.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { replayed } from "./replay-suite.ts";
import { scripted } from "./script.ts";

/** A chief, a team within a participant, with tools and calls that wait for the user, and a team that speaks with one voice. */
const team: RecordedTeam = {
  name: "nested teams",
  asked: ["chief"],
  within: { research: ["ann", "bob"], mind: ["cid", "dora"] },
  make: (watch) => ({
    speakers: {
      chief: watch.model(scripted([{ say: "Look into it." }, { say: "FINIS" }], "FINIS")),
      ann: watch.model(
        scripted([{ calls: [call("a1", "look"), call("a2", "deploy")] }, { say: "Ann knows." }], "That is all."),
      ),
      bob: watch.model(scripted([{ say: "Bob agrees. That is all." }], "That is all.")),
      cid: watch.model(scripted([{ calls: [call("c1", "look")] }, { say: "Cid thinks." }], "It stands.")),
      dora: watch.model(scripted([{ say: "It stands." }], "It stands.")),
      voice: watch.model(() => ({ say: "In short: yes." })),
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
      watch.tool("look", () => microtasks(3).then(() => "seen")),
      watch.tool("deploy", () => microtasks(3).then(() => "deployed"), { approval: "ask" }),
    ],
    termination: { textMention: { text: "FINIS" } },
  }),
};

replayed(team, 1_500);
