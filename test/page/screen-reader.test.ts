import assert from "node:assert/strict";
import { test } from "node:test";
import { cardMessage, commandBody, untilSettled } from "./call-cards.ts";
import { pageBrowser } from "./chat-page.ts";
import { ScreenReader } from "./screen-reader.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

const command = { ref: "c", name: "runCommand", input: { command: "npm test -- --filter='two lines'" } };

/** The phrases with a time as `TIME`. */
const timeless = (phrases: readonly string[]): string[] =>
  phrases.map((phrase) => phrase.replace(/\d\d:\d\d( [AP]M)?/, "TIME"));

test("a screen reader reads a run in order: who speaks, the text, and the tools with their outcome", async () => {
  const chat = await browser.page({ width: 430, height: 720 });
  const script = new TeamScript().task("Find the fault.").say("author", "The **fault** is in `total()`.");
  const call = { ref: "r", name: "readFile", input: { path: "src/cart.ts" } };
  script.durable(
    { type: "tool/requested", participant: "reviewer", calls: [call] },
    { type: "tool/started", ref: "r" },
    { type: "tool/executed", ref: "r", name: "readFile", participant: "reviewer", output: "x", isError: true },
  );
  await chat.open(script.ended("Maximum number of messages 2 reached"));
  const reader = await ScreenReader.startedIn(chat);
  assert.deepEqual(timeless(await reader.read("[role=feed]")), [
    "feed, Conversation",
    "article, You, TIME, position 1, set size 4",
    "button, Restore to Before This Message…",
    "You",
    "time",
    "TIME",
    "Find the fault.",
    "article, author, TIME, position 2, set size 4",
    "author",
    "Explains and fixes the code",
    "time",
    "TIME",
    "paragraph",
    "The",
    "strong",
    "fault",
    "is in",
    "code",
    "total()",
    ".",
    "article, reviewer, TIME, tools: readFile failed, position 3, set size 4",
    "reviewer",
    "Looks for what is wrong",
    "time",
    "TIME",
    "button, readFile src/cart.ts Failed, not expanded",
    "readFile",
    "src/cart.ts",
    "Failed",
    "article, Finished: 2 messages, TIME, position 4, set size 4",
    "Finished: 2 messages",
    "3.0k tokens",
    "time",
    "TIME",
  ]);
});

test("a screen reader says that an approval is needed, and reads its card: who, the exact command, the buttons", async () => {
  const chat = await browser.page({ width: 430, height: 720 });
  const script = new TeamScript().task("Find the fault.");
  await chat.open(script);
  const reader = await ScreenReader.startedIn(chat);
  script.durable(
    { type: "tool/requested", participant: "tester", calls: [command] },
    { type: "tool/interrupted", ...command, participant: "tester", approval: true },
  );
  await chat.live(script.paused("TOOL_INTERRUPT"));
  assert.deepEqual(await reader.heard(2), [
    "polite: Approval needed: tester wants to use runCommand: npm test -- --filter='two lines'",
    "polite: Code review: Waiting for you",
  ]);
  await chat.post(cardMessage(script, "c", commandBody(command.input.command)));
  await untilSettled(chat, "c");
  assert.deepEqual(await reader.read(".pending"), [
    "group, Approval needed: runCommand of tester",
    "strong",
    "tester",
    "wants to run a command",
    "/home/ann/shop",
    "button, Copy command, Copy",
    "npm test -- --filter='two lines'",
    "paragraph",
    "It runs in the sandbox: it can change only the workspace.",
    "button, Run Command: runCommand",
    "Run Command",
    "button, Reject: runCommand",
    "Reject",
    "button, More Answers…, not expanded, has popup menu",
    "button, Edit Command…",
  ]);
  script.durable(
    { type: "tool/resolved", ref: "c", how: "restart", by: USER },
    { type: "run/started", task: "", cause: "tools" },
  );
  await chat.live(script);
  assert.deepEqual(await reader.heard(1), ["polite: Code review: Running"]);
});

test("a screen reader says no chunk, then who was interrupted and what is kept, and reads both in the thread", async () => {
  const chat = await browser.page({ width: 430, height: 720 });
  const script = new TeamScript().task("Find the fault.");
  await chat.open(script);
  const reader = await ScreenReader.startedIn(chat);
  const half = script.startMessage("reviewer");
  for (const word of ["I ", "would ", "rather"]) {
    script.chunk(half, word);
    await chat.live(script);
  }
  script.interrupt(half, "reviewer", "I would rather", { wasRunning: true });
  await chat.live(script);
  assert.deepEqual(await reader.heard(3), [
    "polite: reviewer was interrupted: I would rather",
    "polite: You interrupted reviewer, kept 3 words",
    "polite: Code review: Interrupted",
  ]);
  assert.deepEqual(timeless(await reader.read("[role=feed]")), [
    "feed, Conversation",
    "article, You, TIME, position 1, set size 3",
    "button, Restore to Before This Message…",
    "You",
    "time",
    "TIME",
    "Find the fault.",
    "article, reviewer, TIME, partial, position 2, set size 3",
    "reviewer",
    "Looks for what is wrong",
    "time",
    "TIME",
    "paragraph",
    "I would rather",
    "Interrupted here.",
    "The text so far is kept.",
    "button, Continue (reviewer), Continue the run from here",
    "Continue",
    "button, Edit (reviewer), Edit the partial message",
    "Edit",
    "button, Drop (reviewer), Remove the partial message from the thread",
    "Drop",
    "button, Fork here (reviewer), Create another team from here; this team stays unchanged",
    "Fork here",
    "article, You interrupted reviewer, kept 3 words, TIME, position 3, set size 3",
    "button, You interrupted reviewer· kept 3 words, Show what was stopped and what was kept, not expanded",
    "strong",
    "You interrupted reviewer",
    "· kept 3 words",
    "time",
    "TIME",
  ]);
});
