import { ASK_USER, askingInterrupt } from "../../../shared/ask-user.ts";
import { cardMessage, commandBody, untilShown } from "../call-cards.ts";
import { TeamScript } from "../team-script.ts";
import type { GalleryState } from "./gallery-state.ts";
import { startedReview } from "./started-review.ts";

/** A team of an agent program and a remote agent. */
const agentTeam = (): TeamScript =>
  new TeamScript("Journey", {
    participants: [
      { name: "gemini", description: "Edits the code", kind: "acp", command: "gemini", args: ["--acp"] },
      { name: "travel", description: "Books journeys", kind: "a2a", url: "https://agents.example.com" },
    ],
  });

/** What agents that others made ask the user, and the page that a tool would read. */
export const agentStates: readonly GalleryState[] = [
  {
    name: "card-agent",
    show: async (chat) => {
      const line = "npm test -- --test-name-pattern='discount is taken once' && npm run lint";
      const input = { title: "Run the tests", command: line, cwd: "/home/ann/shop" };
      const call = { ref: "a", name: "agent:execute", participant: "gemini", input };
      const script = agentTeam().task("Find the fault in the cart.");
      script.durable(
        { type: "speaker/selected", participants: ["gemini"] },
        { type: "reasoning/start", id: "turn-g", from: "gemini", input: "" },
        { type: "tool/requested", participant: "gemini", content: "First I run the tests.", calls: [call] },
        { type: "tool/interrupted", ...call, approval: true, reason: "The agent asks before it does this." },
      );
      await chat.open(script.paused("TOOL_INTERRUPT"));
      const { command } = commandBody(line) as Extract<ReturnType<typeof commandBody>, { kind: "command" }>;
      const { sandbox, ...own } = command;
      await chat.post(
        cardMessage(
          script,
          "a",
          { kind: "command", command: own },
          {
            callers: "gemini",
            rules: [
              { label: "This Command", rules: [`agent:execute with the command ${line}`] },
              { label: "Every Command of Agents", rules: ["agent:execute"] },
            ],
            scopes: ["run", "workspace", "always"],
          },
        ),
      );
      await untilShown(chat, "a");
    },
  },
  {
    name: "card-page",
    show: async (chat) => {
      const url =
        "https://docs.example.com/en/latest/rounding/half-to-even.html?version=2.4#why-the-sum-is-rounded-once-and-not-for-each-line";
      const call = { ref: "w", name: "webFetch", input: { url } };
      const script = startedReview().durable(
        { type: "tool/requested", participant: "tester", calls: [call] },
        { type: "tool/interrupted", ...call, participant: "tester", approval: true },
      );
      await chat.open(script.paused("TOOL_INTERRUPT"));
      await chat.post(
        cardMessage(
          script,
          "w",
          { kind: "page", url, host: "docs.example.com" },
          {
            rules: [{ label: "This Host", rules: ["webFetch on the host docs.example.com"] }],
            scopes: ["run", "workspace", "always"],
          },
        ),
      );
      await untilShown(chat, "w");
    },
  },
  {
    name: "question-remote",
    show: async (chat) => {
      const question =
        "Which day suits you: Thursday the 4th at 8:15 from Bern, or Monday the 8th at 9:02 by way of Olten?";
      const call = { ref: "q", name: ASK_USER, participant: "travel", input: { question } };
      const script = agentTeam().task("Book a journey to Basel.");
      script.durable(
        { type: "speaker/selected", participants: ["travel"] },
        { type: "reasoning/start", id: "turn-t", from: "travel", input: "" },
        { type: "tool/requested", participant: "travel", content: "I have found two trains.", calls: [call] },
        { type: "tool/interrupted", ...call, interrupt: askingInterrupt({ question, choices: [], several: false }) },
      );
      await chat.open(script.paused("TOOL_INTERRUPT"));
      await chat.post(cardMessage(script, "q", { kind: "input", input: call.input }, { callers: "travel" }));
      await chat.page.locator('.pending[data-ref="q"] textarea, .pending[data-ref="q"] .button').first().waitFor();
    },
  },
];
