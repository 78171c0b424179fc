import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { TeamScript, USER } from "./team-script.ts";

const browser = pageBrowser();

declare global {
  interface Window {
    heard: string[];
  }
}

/** Records what a screen reader says of the live region: each line as it is added. */
async function listening(): Promise<ChatPageDriver> {
  const chat = await browser.page();
  await chat.page.evaluate(() => {
    window.heard = [];
    const region = document.querySelector("[aria-live=polite]");
    if (region === null) throw new Error("the page has no live region");
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        window.heard.push(...[...addedNodes].map(({ textContent }) => textContent ?? ""));
    }).observe(region, { childList: true });
  });
  return chat;
}

/** What was said since the last call. */
const heard = (chat: ChatPageDriver): Promise<string[]> => chat.page.evaluate(() => window.heard.splice(0));

test("a screen reader says a run, an approval and an interrupt in order, and no chunk", async () => {
  const chat = await listening();
  const script = new TeamScript();
  await chat.open(script);
  script.task("Find the fault.");
  await chat.live(script);
  assert.deepEqual(await heard(chat), ["Code review: Running"]);

  const id = script.startMessage("author");
  for (const word of ["The ", "fault ", "is ", "here."]) {
    script.chunk(id, word);
    await chat.live(script);
  }
  script.endMessage(id, "author", "The fault is here.");
  const call = { ref: "c", name: "runCommand", input: { command: "npm test" } };
  script.durable(
    { type: "tool/requested", participant: "tester", calls: [call] },
    { type: "tool/interrupted", ...call, participant: "tester", approval: true },
  );
  script.paused("TOOL_INTERRUPT");
  await chat.live(script);
  assert.deepEqual(await heard(chat), [
    "author said: The fault is here.",
    "Approval needed: tester wants to use runCommand: npm test",
    "Code review: Waiting for you",
  ]);

  script.durable(
    { type: "tool/resolved", ref: "c", how: "restart", by: USER },
    { type: "run/started", task: "", cause: "tools" },
    { type: "tool/started", ref: "c" },
    { type: "tool/executed", ref: "c", name: "runCommand", participant: "tester", output: "ok", isError: false },
  );
  const half = script.startMessage("reviewer");
  script.chunk(half, "I would rather");
  await chat.live(script);
  assert.deepEqual(await heard(chat), ["Code review: Running"]);

  script.interrupt(half, "reviewer", "I would rather", { wasRunning: true });
  await chat.live(script);
  assert.deepEqual(await heard(chat), [
    "reviewer was interrupted: I would rather",
    "You interrupted reviewer, kept 3 words",
    "Code review: Interrupted",
  ]);
});

test("a stop after the turn is said and shown, also while a call waits, and can be taken back", async () => {
  const chat = await listening();
  const script = new TeamScript().task("Find the fault.");
  script.startMessage("author");
  await chat.open(script);
  const bar = chat.page.locator(".controls");
  await chat.live(script.durable({ type: "stop/requested", by: USER }));
  assert.deepEqual(await heard(chat), ["Stops after this turn"]);
  await bar.getByText("Stops after this turn").waitFor();
  await bar.getByRole("button", { name: "Keep Running" }).focus();
  await chat.page.keyboard.press("Enter");
  await chat.untilPosted("keepRunning");
  await chat.live(script.durable({ type: "stop/withdrawn", by: USER }));
  assert.deepEqual(await heard(chat), ["The team keeps running"]);
  assert.equal(await bar.getByText("Stops after this turn").count(), 0);

  await chat.live(script.durable({ type: "stop/requested", by: USER }));
  const call = { ref: "c", name: "runCommand", input: { command: "npm test" } };
  script.durable(
    { type: "tool/requested", participant: "author", calls: [call] },
    { type: "tool/interrupted", ...call, participant: "author", approval: true },
  );
  await chat.live(script.paused("TOOL_INTERRUPT"));
  await bar.getByText("Stops after this turn. Waiting for your decision: runCommand").waitFor();
  await bar.getByRole("button", { name: "Keep Running" }).waitFor();
  script.durable(
    { type: "tool/resolved", ref: "c", how: "deny", by: USER },
    { type: "run/started", cause: "tools" },
    { type: "tool/executed", ref: "c", name: "runCommand", participant: "author", output: "No.", isError: true },
  );
  await chat.live(script);
  await bar.getByText("Stops after this turn").waitFor();
  await chat.live(script.ended("External termination requested"));
  assert.equal(script.state.stopRequested, undefined);
  await bar.waitFor({ state: "detached" });
});

test("while eight speak and think at the same time, nothing is said until a message is complete, and that once", async () => {
  const chat = await listening();
  const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
  const script = new TeamScript("Eight", { kind: "graph", participants: names.map((name) => ({ name })) }).task("Go.");
  script.durable({ type: "speaker/selected", participants: names });
  for (const from of names) script.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
  await chat.open(script);
  const ids = names.map((name) => script.stream(name));
  for (let word = 0; word < 40; word++) {
    for (const [index, id] of ids.entries()) {
      script.chunk(id, `word${word} `);
      const from = names[index] ?? "";
      script.transient({ type: "reasoning/chunk", from, correlation_id: [`turn-${from}`], delta: "hm " });
    }
    await chat.live(script);
  }
  assert.deepEqual(await heard(chat), []);
  for (const [index, id] of ids.entries()) script.endMessage(id, names[index] ?? "", `Done ${index}.`);
  await chat.live(script);
  assert.deepEqual(
    await heard(chat),
    names.map((name, index) => `${name} said: Done ${index}.`),
  );
});

test("everything that arrives at once is said", async () => {
  const chat = await listening();
  const script = new TeamScript();
  await chat.open(script);
  for (let turn = 1; turn <= 9; turn++) script.say("author", `Message ${turn}.`);
  await chat.live(script);
  assert.deepEqual(
    await heard(chat),
    Array.from({ length: 9 }, (_, index) => `author said: Message ${index + 1}.`),
  );
});

test("the page is read in the order in which it is seen", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Find the fault.").say("author", "Here.");
  const call = { ref: "c", name: "runCommand", input: { command: "npm test" } };
  script.durable(
    { type: "tool/requested", participant: "tester", calls: [call] },
    { type: "tool/interrupted", ...call, participant: "tester", approval: true },
  );
  await chat.open(script.paused("TOOL_INTERRUPT"));
  await chat.page.getByLabel("Approval needed: runCommand of tester").waitFor();
  const landmarks = await chat.page.evaluate(() =>
    [
      ...document.querySelectorAll("header, main, nav, section[aria-label], [role=feed], article, .pending, textarea"),
    ].map((element) => element.getAttribute("aria-label")?.replace(/, \d\d:\d\d.*/, "") ?? element.localName),
  );
  assert.deepEqual(landmarks, [
    "header",
    "main",
    "Conversation",
    "You",
    "author",
    "tester",
    "Approval needed: runCommand of tester",
    "A tool call is waiting for you. Message the team, or type @ to message a participant",
  ]);
});
