import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { userTeam } from "./example-teams.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const status = (chat: ChatPageDriver): Promise<string> => seen(chat.page.locator(".status"));

function spent(): TeamScript {
  return new TeamScript()
    .task("Go.")
    .say("author", "Half of it.")
    .paused("The budget of 5000 tokens is used up, at 5120 tokens", "budget");
}

test("a used-up budget shows how much was used, and Continue grants it again", async () => {
  const chat = await browser.page();
  await chat.open(spent());
  await chat.page.getByText("Paused: the budget of 5000 tokens is used up, at 5120 tokens").first().waitFor();
  assert.match(await seen(chat.page.locator(".row-runEnd")), /5\.1k tokens · \$0\.031/);
  await chat.composer.fill("a thought for later");
  await chat.page.getByRole("button", { name: "Continue" }).click();
  assert.deepEqual(await chat.untilPosted("run"), { type: "run", text: "" });
  assert.equal(await chat.composer.inputValue(), "a thought for later");
});

test("End Run ends the paused run, and both buttons are reached by keyboard", async () => {
  const chat = await browser.page();
  const script = spent();
  await chat.open(script);
  await chat.composer.focus();
  await chat.page.keyboard.press("Shift+Tab");
  const focused = () => chat.page.evaluate(() => document.activeElement?.textContent);
  assert.equal(await focused(), "Continue");
  await chat.page.keyboard.press("Shift+Tab");
  assert.equal(await focused(), "End Run");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("stop"), { type: "stop" });
  const usage = { prompt: 0, completion: 0, total: 0 };
  const status = { code: "interrupted" as const, reason: "external_interrupt" };
  script.durable({ type: "run/ended", stopReason: null, status, usage, resets: true });
  await chat.live(script);
  assert.equal(await chat.page.getByRole("button", { name: "End Run" }).count(), 0);
  assert.match(await seen(chat.rows.last()), /Stopped · text kept/);
});

test("a used-up budget is announced with the choices", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  await chat.open(script);
  await chat.live(script.paused("Turn budget of 3 used up.", "budget"));
  const announced = await chat.page.locator("[aria-live=polite] p").allInnerTexts();
  assert.ok(announced.includes("Paused: turn budget of 3 used up. Continue or end the run."), announced.join("\n"));
});

/** It is the turn of the user participant alice. */
function userTurnScript(script = userTeam()): TeamScript {
  return script
    .durable(
      { type: "speaker/selected", participants: ["alice"] },
      { type: "reasoning/start", id: "turn-a", from: "alice", input: "" },
      { type: "userInput/requested", participant: "alice" },
    )
    .paused("USER_INPUT_REQUESTED");
}

const card = (chat: ChatPageDriver) => chat.page.getByRole("region", { name: /^Your turn/ });
const answerBox = (chat: ChatPageDriver) => card(chat).getByRole("textbox", { name: "Your answer as alice" });

test("a user participant's turn is a question in the thread, whose answer box has the focus; Enter sends", async () => {
  const chat = await browser.page();
  const script = userTeam().task("Plan it.").say("planner", "Thursday or Monday?");
  await chat.open(script);
  await chat.live(userTurnScript(script));
  assert.match(await seen(card(chat)), /Your turn: planner asks alice\s+Thursday or Monday\?/);
  assert.match(await seen(chat.page.locator(".controls")), /Your turn: planner asks alice\s+Answer/);
  assert.equal(await status(chat), "Your turn");
  const announced = await chat.page.locator("[aria-live=polite] p").allInnerTexts();
  assert.ok(announced.includes("Your turn: planner asks alice: Thursday or Monday?"), announced.join("\n"));
  await chat.page.waitForFunction(() => document.activeElement?.classList.contains("question-answer"));
  await chat.page.keyboard.press("Enter");
  await card(chat).getByText("Enter an answer.").waitFor();
  await chat.page.keyboard.type("Thursday,");
  await chat.page.keyboard.press("Shift+Enter");
  await chat.page.keyboard.type("or Monday.");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("answer"), { type: "answer", text: "Thursday,\nor Monday." });
});

test("a message to another participant does not mix with the answer: both keep what is written", async () => {
  const chat = await browser.page();
  const script = userTurnScript(userTeam().task("Plan it.").say("planner", "Thursday or Monday?"));
  await chat.open(script);
  await answerBox(chat).fill("Thursday, be");
  await chat.composer.fill("@planner Who asks?");
  await chat.composer.press("Enter");
  assert.partialDeepStrictEqual(await chat.untilPosted("send"), { to: "planner", text: "Who asks?" });
  await chat.live(script.directed("planner", "Who asks?"));
  assert.match(await seen(card(chat)), /Your turn: planner asks alice[\s\S]*Someone is answering first/);
  assert.equal(await answerBox(chat).inputValue(), "Thursday, be");
  await answerBox(chat).press("Enter");
  assert.equal((await chat.posted()).filter(({ type }) => type === "answer").length, 0);
});

test("each handoff of the user participant is a button that sends the answer and hands over", async () => {
  const chat = await browser.page();
  const definition = {
    kind: "swarm" as const,
    participants: [
      { name: "planner" },
      { name: "critic" },
      { name: "alice", kind: "user" as const, handoffs: ["planner", "critic"] },
    ],
  };
  const script = new TeamScript("Planning", definition).task("Plan it.").say("planner", "Thursday or Monday?");
  await chat.open(userTurnScript(script));
  const choice = card(chat).getByRole("button", { name: "Answer critic" });
  assert.equal(await choice.isDisabled(), true);
  await answerBox(chat).fill("Ask the critic.");
  await choice.click();
  assert.deepEqual(await chat.untilPosted("answer"), { type: "answer", text: "Ask the critic.", handoff: "critic" });
  assert.equal(await answerBox(chat).inputValue(), "");
});

test("a handoff that left the team is a question too, and Answer below the thread leads to its box", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  const metadata = { target: "human" };
  script.message("author", { type: "HandoffMessage", content: "May I delete it?", metadata }).ended("Handoff to human");
  await chat.open(script);
  assert.match(await seen(card(chat)), /Your turn: author asks\s+May I delete it\?/);
  await chat.page.locator(".controls").getByRole("button", { name: "Answer" }).click();
  await chat.page.keyboard.type("Yes.");
  await chat.page.keyboard.press("Enter");
  assert.deepEqual(await chat.untilPosted("answer"), { type: "answer", text: "Yes." });
});

test("the user's message for a participant is shown under the participant's name", async () => {
  const chat = await browser.page();
  await chat.open(
    userTurnScript().durable({ type: "run/started", task: "Thursday.", cause: "run" }).say("alice", "Thursday."),
  );
  assert.match(await seen(chat.rows.last()), /alice[\s\S]*Thursday\./);
  assert.equal(await chat.rows.last().locator(".user-text").count(), 1);
  assert.equal(await card(chat).count(), 0);
});

test("a user participant is shown without a button to message it", async () => {
  const chat = await browser.page();
  await chat.open(userTurnScript());
  assert.match(await seen(chat.page.locator(".participants")), /alice\s+your turn/);
  assert.equal(await chat.page.getByRole("button", { name: /Message alice/ }).count(), 0);
  assert.equal(await chat.page.getByRole("button", { name: /Message planner/ }).count(), 1);
});
