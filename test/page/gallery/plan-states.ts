import { NO_USAGE } from "../../../shared/state/team-state.ts";
import { cardMessage, untilSettled } from "../call-cards.ts";
import type { ChatPageDriver } from "../chat-page.ts";
import { TeamScript } from "../team-script.ts";
import type { GalleryState } from "./gallery-state.ts";

const plan = {
  type: "plan/updated" as const,
  participant: "author",
  items: [
    { text: "Read src/cart.ts and its tests", status: "done" as const },
    { text: "Take the discount once, after the items are summed", status: "inProgress" as const },
    { text: "Add a test with two lines", status: "pending" as const },
    { text: "Run all tests", status: "pending" as const },
  ],
};

const planned = (): TeamScript => {
  const script = new TeamScript().task("Find the fault.");
  script.say("author", "The discount is taken twice. I have made a plan.");
  const ended = { stopReason: null, status: { code: "success" as const }, usage: NO_USAGE };
  return script.durable(plan, { ...plan, participant: "tester" }, { type: "run/ended", ...ended });
};

const SUMMARY = `The user wants the discount fixed in src/cart.ts, with a test, and no change to prices.
The author found that total() takes the discount once for each line and once for the sum.
Open: the test with two lines; then run all tests.`;

const summarized = async (chat: ChatPageDriver, isOpen: boolean): Promise<void> => {
  const script = new TeamScript().task("Find the fault.").say("author", "The discount is taken twice.");
  script.durable({
    type: "context/summarized",
    participant: "author",
    summary: { text: SUMMARY, through: { messageId: "m1" } },
    tokens: { before: 102_400, after: 51_730 },
  });
  script.say("author", "Now I write the test with two lines.");
  await chat.open(script.durable({ type: "context/summaryRequested", participant: "tester", by: "user" }));
  if (isOpen) await chat.page.getByRole("button", { name: "Summary", exact: true }).click();
};

const asked =
  (several: boolean): GalleryState["show"] =>
  async (chat) => {
    const input = { question: "Which database should the cart use?" };
    const choices = [
      { label: "SQLite", description: "One file beside the program, no server to run" },
      { label: "PostgreSQL", description: "What the shop already has; needs an account" },
      { label: "Keep it in memory" },
    ];
    const interrupt = { kind: "askUser", ...input, choices, several };
    const call = { ref: "c", name: "askUser", input };
    const script = new TeamScript()
      .task("Keep the cart.")
      .durable(
        { type: "tool/requested", participant: "tester", calls: [call] },
        { ...call, type: "tool/interrupted", participant: "tester", interrupt },
      );
    await chat.open(script.paused("TOOL_INTERRUPT"));
    await chat.untilPosted("showCall");
    await chat.post(cardMessage(script, "c", { kind: "input", input }));
    await untilSettled(chat, "c");
  };

/** The page with plans, with summarized contexts, and with questions that have choices. */
export const planStates: readonly GalleryState[] = [
  {
    name: "plan",
    show: async (chat) => {
      const script = planned();
      await chat.open(script);
      await chat.post({ type: "changes", teamId: script.teamId, files: 3, commands: 0, added: 40, removed: 12 });
    },
  },
  {
    name: "plan-open",
    show: async (chat) => {
      await chat.open(planned());
      await chat.page.getByRole("button", { name: /^Plan of author/ }).click();
      await chat.page.getByRole("textbox", { name: "Text of step 2, in progress" }).focus();
    },
  },
  { name: "summarized-context", show: (chat) => summarized(chat, false) },
  { name: "summarized-context-open", show: (chat) => summarized(chat, true) },
  { name: "choices", show: asked(false) },
  { name: "several-choices", show: asked(true) },
];
