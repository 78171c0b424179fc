import { cardMessage, commandBody, untilShown } from "../call-cards.ts";
import { researchTeam } from "../example-teams.ts";
import { USER } from "../team-script.ts";
import type { GalleryState } from "./gallery-state.ts";

/** Teams in a team. */
export const nestedStates: readonly GalleryState[] = [
  {
    name: "nested",
    show: async (chat) => {
      const script = researchTeam().task("Which of the two caches should the cart use?");
      script.durable(
        { type: "speaker/selected", participants: ["research"] },
        { type: "reasoning/start", id: "turn-1", from: "research", input: "" },
      );
      script.inNestedTeam(["research"], (inner) => {
        inner
          .message(USER, { type: "TextMessage", content: "Which of the two caches should the cart use?" })
          .say("alice", "The in-memory one is **faster**, but it is lost with each deployment.")
          .say("bob", "The shared one survives, and 2 ms are nothing beside the checkout's 300.");
      });
      script.say("research", "The shared cache: it survives a deployment, and its 2 ms are not felt.");
      script.durable(
        { type: "speaker/selected", participants: ["critics"] },
        { type: "reasoning/start", id: "turn-2", from: "critics", input: "" },
      );
      script.inNestedTeam(["critics"], (inner) => {
        inner
          .message(USER, { type: "TextMessage", content: "Which of the two caches should the cart use?" })
          .message("research", { type: "TextMessage", content: "The shared cache: it survives a deployment." })
          .say("carol", "Has anyone measured the 2 ms under load?");
      });
      script.inNestedTeam(["critics", "bench"], (inner) => {
        inner.say("dora", "I shall: a hundred carts at once.");
        inner.durable(
          {
            type: "tool/requested",
            participant: "dora",
            calls: [
              { ref: "n1", name: "readFile", input: { path: "bench/cart.ts" } },
              { ref: "n2", name: "runCommand", input: { command: "node bench/cart.ts --carts 100" } },
            ],
          },
          { type: "tool/started", ref: "n1" },
          {
            type: "tool/executed",
            ref: "n1",
            name: "readFile",
            participant: "dora",
            output: "export const carts = 100;",
            isError: false,
          },
          {
            type: "tool/interrupted",
            ref: "n2",
            name: "runCommand",
            participant: "dora",
            input: { command: "node bench/cart.ts --carts 100" },
            approval: true,
          },
        );
      });
      script.paused("TOOL_INTERRUPT");
      await chat.open(script);
      await chat.post(cardMessage(script, "n2", commandBody("node bench/cart.ts --carts 100")));
      await untilShown(chat, "n2");
    },
  },
  {
    name: "nested-live",
    show: async (chat) => {
      const script = researchTeam().task("Which of the two caches should the cart use?");
      script.durable(
        { type: "speaker/selected", participants: ["research"] },
        { type: "reasoning/start", id: "turn-1", from: "research", input: "" },
      );
      await chat.open(script);
      script.inNestedTeam(["research"], (inner) => {
        inner.say("alice", "The in-memory one is **faster**, but it is lost with each deployment.");
        inner.chunk(inner.startMessage("bob"), "The shared one survives, and 2 ms are nothing beside");
      });
      await chat.live(script);
    },
  },
];
