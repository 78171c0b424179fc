import { userTeam } from "../example-teams.ts";
import { manySpeakers } from "../many-speakers.ts";
import { TeamScript, USER } from "../team-script.ts";
import type { GalleryState } from "./gallery-state.ts";
import { startedReview } from "./started-review.ts";

const streaming = `Agreed. I would write the test first, so that it fails for the right reason:

\`\`\`ts
test("the discount is taken once", () => {
  assert.equal(total([line(100), line(100)], 0.1), 180);
});
\`\`\`

With that in place the change to \`total()\` is one line, and`;

/** Turns of a team, one after the other and at the same time. */
export const turnStates: readonly GalleryState[] = [
  {
    name: "streaming",
    show: async (chat) => {
      const script = startedReview();
      await chat.open(script);
      const id = script.startMessage("author");
      script.chunk(id, streaming);
      await chat.live(script);
      await chat.composer.fill("@rev");
    },
  },
  {
    name: "thinking",
    show: async (chat) => {
      const script = startedReview().durable(
        { type: "handoff", from: "reviewer", to: "tester" },
        { type: "speaker/selected", participants: ["tester"] },
        { type: "reasoning/start", id: "turn-t", from: "tester", input: "" },
        {
          type: "model/retry",
          participant: "tester",
          attempt: 1,
          waitMs: 2000,
          reason: "rate limit reached",
          status: 429,
        },
      );
      await chat.open(script);
      await chat.composer.fill("please hurry");
      await chat.composer.press("Enter");
    },
  },
  {
    name: "thought",
    show: async (chat) => {
      const script = startedReview().durable(
        { type: "speaker/selected", participants: ["tester"] },
        { type: "reasoning/start", id: "turn-t", from: "tester", input: "" },
      );
      await chat.open(script);
      const delta = "The discount is taken for each line. With two lines it is taken twice, so 180 becomes 162.\n";
      for (let line = 0; line < 9; line++) {
        script.transient({ type: "reasoning/chunk", from: "tester", correlation_id: ["turn-t"], delta });
      }
      await chat.live(script);
      await chat.page.locator(".code-block").first().hover();
    },
  },
  {
    name: "expanded",
    show: async (chat) => {
      const script = startedReview();
      await chat.open(script);
      for (const name of ["readFile", "Thought"]) await chat.page.getByRole("button", { name }).first().click();
      await chat.page.locator(".row-tools").first().scrollIntoViewIfNeeded();
    },
  },
  { name: "many-speakers", show: (chat) => chat.open(manySpeakers()) },
  {
    name: "long",
    show: async (chat) => {
      const script = new TeamScript().task("Talk it over.");
      const names = ["author", "reviewer", "tester"] as const;
      for (let turn = 0; turn < 300; turn++) {
        script.say(
          names[turn % 3] ?? "author",
          `Point ${turn + 1}: the total is ${turn * 3}. ${"It holds for each line of the cart. ".repeat(turn % 5)}`,
        );
      }
      script.durable({
        type: "tool/executed",
        ref: "x",
        name: "readFile",
        participant: "tester",
        output: USER,
        isError: false,
      });
      await chat.open(script);
      await chat.page.locator(".list").evaluate((list) => list.scrollBy(0, -900));
      await chat.page.locator(".jump").waitFor();
    },
  },
  {
    name: "parallel",
    show: async (chat) => {
      const script = new TeamScript("Release check", { kind: "graph" }).task("Is 2.4 ready?");
      const speaking = ["author", "reviewer", "tester"];
      script.durable({ type: "speaker/selected", participants: speaking });
      const ids = speaking.map((from) => {
        script.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
        return from === "tester" ? undefined : script.stream(from);
      });
      await chat.open(script);
      script.chunk(ids[0] ?? "", "The change log names every **breaking** change; the migration guide is");
      script.chunk(ids[1] ?? "", "Two reviews are open. The one on the cart");
      script.chunk(ids[0] ?? "", " still missing its part on the cache.");
      await chat.live(script);
    },
  },
  {
    name: "budget",
    show: async (chat) => {
      const script = startedReview();
      const id = script.startMessage("author");
      script.endMessage(id, "author", "I have the test. The change itself is next.");
      await chat.open(script.paused("The budget of 5000 tokens is used up, at 5120 tokens", "budget"));
    },
  },
  {
    name: "turn",
    show: async (chat) => {
      const script = userTeam().task("Plan the release.").say("planner", "Shall we ship on Thursday or on Monday?");
      script.durable(
        { type: "speaker/selected", participants: ["alice"] },
        { type: "reasoning/start", id: "turn-a", from: "alice", input: "" },
        { type: "userInput/requested", participant: "alice" },
      );
      await chat.open(script.paused("USER_INPUT_REQUESTED"));
    },
  },
  {
    name: "find",
    show: async (chat) => {
      await chat.open(startedReview());
      await chat.page.keyboard.press("Control+f");
      await chat.page.getByRole("search").getByRole("textbox").fill("test");
      await chat.page.getByText(/^\d+ of \d+/).waitFor();
    },
  },
];
