import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

const button = (chat: ChatPageDriver, name: string) => chat.page.getByRole("button", { name, exact: true });

/** Two calls of the tester wait for the user. */
function waitingTeam(): TeamScript {
  const calls = ["c1", "c2"].map((ref) => ({ ref, name: "runCommand", input: { command: `npm run ${ref}` } }));
  return new TeamScript()
    .task("Is it ready?")
    .durable(
      { type: "speaker/selected", participants: ["tester"] },
      { type: "reasoning/start", id: "turn-t", from: "tester", input: "" },
      { type: "tool/requested", participant: "tester", calls },
      ...calls.map((call) => ({
        ...call,
        type: "tool/interrupted" as const,
        participant: "tester",
        approval: true as const,
      })),
    )
    .paused("TOOL_INTERRUPT");
}

/** The user's interrupt, which cancels both. */
function cancelled(script: TeamScript): TeamScript {
  const interruptId = "i1";
  const at = new Date().toISOString();
  const call = { name: "runCommand", participant: "tester" };
  return script.durable(
    { type: "interrupt/requested", interruptId, severity: "pause", grace: "now", by: USER },
    { type: "interrupt/acknowledged", interruptId },
    ...["c1", "c2"].map((ref) => ({
      ...call,
      type: "tool/executed" as const,
      ref,
      output: "The user interrupted the team: this call was cancelled before it ran.",
      isError: true,
      interrupted: true as const,
    })),
    { type: "reasoning/conclusion", from: "tester", correlation_id: ["turn-t"], interrupted: true },
    {
      type: "interrupt/completed",
      interruptId,
      wasRunning: false,
      severity: "pause",
      requestedAt: at,
      acknowledgedAt: at,
      quiescedAt: at,
      stopReason: null,
      partials: [],
      abandonedTools: [],
      cancelledTools: ["c1", "c2"].map((ref) => ({ ...call, ref })),
      status: "paused",
    },
  );
}

test("while calls wait, Interrupt says what it cancels; its receipt says how many calls, and Continue follows", async () => {
  const chat = await browser.page();
  const script = waitingTeam();
  await chat.open(script);
  await button(chat, "Interrupt").hover();
  const preview = chat.page.getByRole("tooltip");
  assert.match(await seen(preview), /would cancel:[\s\S]*runCommand called by tester waits for you and is cancelled/);
  await button(chat, "Interrupt").click();
  assert.deepEqual(await chat.untilPosted("interrupt"), { type: "interrupt" });
  await chat.page.mouse.move(1, 1);
  await chat.live(cancelled(script));
  assert.match(
    await seen(chat.page.locator(".receipt")),
    /You interrupted the team · 2 waiting tool calls were cancelled/,
  );
  assert.equal(await button(chat, "Interrupt").count(), 0);
  await button(chat, "Continue").click();
  assert.deepEqual(await chat.untilPosted("run"), { type: "run", text: "" });
});

test("while calls wait, messages to the team and to a participant are sent", async () => {
  const chat = await browser.page();
  await chat.open(waitingTeam());
  assert.match((await chat.composer.getAttribute("placeholder")) ?? "", /type @ to message a participant/);
  await chat.composer.fill("Leave it");
  await chat.page.getByText("The next speaker sees it after your decision").waitFor();
  await chat.composer.press("Enter");
  assert.deepEqual(await chat.untilPosted("run"), { type: "run", text: "Leave it", delivery: "steer" });
  await chat.composer.fill("@author What do you think?");
  await chat.composer.press("Enter");
  assert.partialDeepStrictEqual(await chat.untilPosted("send"), { to: "author", text: "What do you think?" });
});
