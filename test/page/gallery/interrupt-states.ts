import { type TeamScript, USER } from "../team-script.ts";
import type { GalleryState } from "./gallery-state.ts";
import { runningTeam } from "./running-team.ts";
import { startedReview } from "./started-review.ts";

const partialText =
  "The fix is to sum first and to discount once, after the loop. Before I change anything I would like to";

/** A turn that was interrupted together with its tools. */
export function interruptedTurn(): TeamScript {
  const script = startedReview();
  script.durable(
    {
      type: "tool/requested",
      participant: "tester",
      calls: [
        { ref: "k1", name: "readFile", input: { path: "test/cart.test.ts" } },
        { ref: "k2", name: "runCommand", input: { command: "npm test" } },
      ],
    },
    { type: "tool/started", ref: "k1", approved: { reason: "The tool readFile needs no approval." } },
    { type: "tool/started", ref: "k2", approved: { rule: "r7", reason: 'The rule "npm test" allows this call.' } },
  );
  for (const [ref, name] of [
    ["k1", "readFile"],
    ["k2", "runCommand"],
  ] as const) {
    script.durable({
      type: "tool/executed",
      ref,
      name,
      participant: "tester",
      output: "Interrupted by the user.",
      isError: true,
      interrupted: true,
    });
  }
  const id = script.startMessage("author");
  const tool = { participant: "tester" };
  return script.chunk(id, partialText).interrupt(id, "author", partialText, {
    stopped: {
      participants: [{ participant: "author" }, { participant: "tester" }],
      tools: [
        { ...tool, ref: "k1", name: "readFile", mayHaveHadEffects: false },
        { ...tool, ref: "k2", name: "runCommand", mayHaveHadEffects: true },
      ],
    },
    kept: { messages: 4, words: 24, queued: 1, pendingTools: 0 },
  });
}

/** A team that is interrupted, or is to stop. */
export const interruptStates: readonly GalleryState[] = [
  {
    name: "interrupted",
    show: async (chat) => {
      const script = startedReview();
      const id = script.startMessage("author");
      script
        .chunk(id, partialText)
        .interrupt(id, "author", partialText)
        .directed("tester", "Is there a test for a cart with two lines?");
      const answer = script.startMessage("tester");
      script
        .endMessage(answer, "tester", "No. The only test of `total()` has a single line.")
        .ended("Maximum number of messages 6 reached");
      script.state = { ...script.state, status: "paused", interrupted: true };
      await chat.open(script);
    },
  },
  {
    name: "interrupt-preview",
    show: async (chat) => {
      await chat.open(runningTeam());
      await chat.page.getByRole("button", { name: "Interrupt", exact: true }).focus();
      await chat.post({
        type: "interruptPreview",
        teamId: "team-1",
        calls: { w1: "is stopped, and may have had effects already" },
      });
    },
  },
  {
    name: "stopping",
    show: (chat) => chat.open(runningTeam().requestInterrupt({ grace: "turn" })),
  },
  {
    name: "stops-after-turn",
    show: (chat) => chat.open(runningTeam().durable({ type: "stop/requested", by: USER })),
  },
  {
    name: "stops-after-decision",
    show: (chat) => {
      const script = startedReview().durable({ type: "stop/requested", by: USER });
      const call = { ref: "c9", name: "runCommand", input: { command: "npm test" } };
      script.durable(
        { type: "tool/requested", participant: "tester", calls: [call] },
        { type: "tool/interrupted", ...call, participant: "tester", approval: true },
      );
      return chat.open(script.paused("TOOL_INTERRUPT"));
    },
  },
  {
    name: "stopping-one",
    show: (chat) => chat.open(runningTeam().requestInterrupt({ grace: "thought", scope: { participant: "author" } })),
  },
  {
    name: "receipt",
    show: async (chat) => {
      await chat.open(interruptedTurn());
      await chat.page
        .getByRole("button", { name: /runCommand/ })
        .first()
        .press("Enter");
      await chat.page.getByRole("button", { name: /^You interrupted/ }).press("Enter");
      await chat.page.locator(".list").press("End");
    },
  },
];
