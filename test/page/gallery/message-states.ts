import { NO_USAGE } from "../../../shared/state/team-state.ts";
import { TeamScript, USER } from "../team-script.ts";
import type { GalleryState } from "./gallery-state.ts";
import { runningTeam } from "./running-team.ts";
import { startedReview } from "./started-review.ts";

/** Messages of the user that wait or that one participant sees, and changes of files. */
export const messageStates: readonly GalleryState[] = [
  {
    name: "waiting",
    show: async (chat) => {
      const script = runningTeam()
        .queueMessage("tester", "Run it once more with two lines in the cart, and tell what the second run costs.", {
          delivery: "steer",
        })
        .queueMessage("reviewer", "Between us: is the author's figure right?", { visibility: "target" })
        .queueMessage("author", "Write the change log entry.");
      await chat.open(script);
      await chat.composer.fill("@tester And with three?");
      await chat.page.getByRole("checkbox", { name: "Visible only to tester" }).check();
    },
  },
  {
    name: "waiting-edit",
    show: async (chat) => {
      await chat.open(
        runningTeam().queueMessage("tester", "Run it once more.").queueMessage("author", "Write the change log entry."),
      );
      await chat.page.getByRole("button", { name: "Edit: message to tester" }).click();
      await chat.composer.fill("@tester And with three?");
    },
  },
  {
    name: "private",
    show: async (chat) => {
      const script = startedReview();
      script.message(USER, {
        type: "UserTextMessage",
        content: "Between us: is the reviewer right?",
        metadata: { to: "tester", visibility: "target" },
      });
      script.say("tester", "Yes. The test fails for just that reason.");
      script.durable(
        {
          type: "reasoning/interrupt",
          id: "ri1",
          from: USER,
          to: ["author", "reviewer"],
          correlation_id: ["turn-x"],
          payload: { reason: "redirect", message: "the cart can wait" },
        },
        {
          type: "reasoning/interrupt-ack",
          id: "ack1",
          from: "author",
          correlation_id: ["ri1"],
          payload: { status: "completing_thought" },
        },
        {
          type: "reasoning/interrupt-ack",
          id: "ack2",
          from: "reviewer",
          correlation_id: ["ri1"],
          payload: { status: "ignored" },
        },
      );
      await chat.open(script);
    },
  },
  {
    name: "changes",
    show: async (chat) => {
      const script = new TeamScript().task("Find the fault.");
      script.say("author", "I have changed the cart and its test.");
      script.durable({ type: "run/ended", stopReason: null, status: { code: "success" }, usage: NO_USAGE });
      await chat.open(script);
      const { teamId } = script;
      await chat.post({ type: "changes", teamId, files: 3, commands: 2, added: 1240, removed: 12 });
      await chat.page.getByRole("button", { name: "Restore to Before This Message…" }).focus();
    },
  },
  {
    name: "changes-by-commands",
    show: async (chat) => {
      const script = startedReview();
      await chat.open(script);
      const { teamId } = script;
      await chat.post({ type: "changes", teamId, files: 0, commands: 1, added: 0, removed: 0 });
    },
  },
];
