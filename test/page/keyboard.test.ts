import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const announced = (chat: ChatPageDriver): Promise<string[]> =>
  chat.page.locator("[aria-live=polite] p").allInnerTexts();

function talk(messages: number): TeamScript {
  const script = new TeamScript();
  for (let turn = 1; turn <= messages; turn++) script.say("author", `Message ${turn}.`);
  return script;
}

test("Tab reaches one message, and arrow keys, j, k, Home and End move to others", async () => {
  const chat = await browser.page();
  await chat.open(talk(300));
  assert.equal(await chat.page.locator("[data-key][tabindex='0']").count(), 1);
  await chat.rows.last().focus();
  assert.equal(await chat.focusedRow(), "m300");
  await chat.page.keyboard.press("ArrowUp");
  await chat.page.keyboard.press("k");
  assert.equal(await chat.focusedRow(), "m298");
  await chat.page.keyboard.press("j");
  assert.equal(await chat.focusedRow(), "m299");
  await chat.page.keyboard.press("Home");
  await chat.page.waitForFunction(() => document.activeElement?.getAttribute("data-key") === "m1");
  assert.equal(await chat.page.locator("[data-key=m1]").isVisible(), true);
  await chat.page.keyboard.press("End");
  await chat.page.waitForFunction(() => document.activeElement?.getAttribute("data-key") === "m300");
  assert.equal(await chat.page.locator("[data-key=m300]").isVisible(), true);
});

test("the focus is visible", async () => {
  const chat = await browser.page();
  await chat.open(talk(3));
  await chat.rows.last().focus();
  await chat.page.keyboard.press("ArrowUp");
  const outline = await chat.page.evaluate(
    () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
  );
  assert.equal(outline, "solid");
});

test("Enter expands the focused message", async () => {
  const chat = await browser.page();
  const script = talk(2).durable({
    type: "tool/requested",
    participant: "author",
    calls: [{ ref: "c1", name: "readFile", input: { path: "a.ts" } }],
  });
  await chat.open(script);
  await chat.rows.last().focus();
  await chat.page.keyboard.press("Enter");
  assert.equal(await chat.page.locator(".collapsible-content").count(), 1);
  await chat.page.keyboard.press("Enter");
  assert.equal(await chat.page.locator(".collapsible-content").count(), 0);
});

test("the list is a feed whose messages are labelled with speaker and time", async () => {
  const chat = await browser.page();
  await chat.open(talk(2));
  const feed = chat.page.getByRole("feed", { name: "Conversation" });
  assert.match((await feed.getByRole("article").first().getAttribute("aria-label")) ?? "", /^author, \d\d:\d\d/);
  assert.equal(await feed.getByRole("article").last().getAttribute("aria-posinset"), "2");
  assert.equal(await chat.page.locator("html").getAttribute("lang"), "en");
});

test("complete messages and status changes are announced, chunks are not", async () => {
  const chat = await browser.page();
  const script = new TeamScript().task("Go.");
  await chat.open(script);
  assert.deepEqual(await announced(chat), []);
  const id = script.startMessage("author");
  script.chunk(id, "The fault");
  await chat.live(script);
  script.chunk(id, " is in total().");
  await chat.live(script);
  assert.deepEqual(await announced(chat), []);
  script.endMessage(id, "author", "The fault is in total().").ended("Maximum number of messages 2 reached");
  await chat.live(script);
  assert.deepEqual(await announced(chat), ["author said: The fault is in total().", "Code review: Finished"]);
});

test("every button and field has an accessible name", async () => {
  const chat = await browser.page();
  const input = { command: "ls" };
  const script = talk(2).durable(
    { type: "tool/requested", participant: "tester", calls: [{ ref: "c", name: "runCommand", input }] },
    { type: "tool/interrupted", ref: "c", name: "runCommand", participant: "tester", input, interrupt: "Why?" },
  );
  script.say("author", "```ts\na\n```");
  await chat.open(script);
  const nameless = await chat.page
    .locator("button, textarea, [role=link]")
    .evaluateAll((all) =>
      all
        .filter((one) => !one.getAttribute("aria-label") && (one.textContent ?? "").trim() === "")
        .map((one) => one.outerHTML),
    );
  assert.deepEqual(nameless, []);
});

for (const from of ["the system", "the editor"] as const) {
  test(`nothing moves with the reduced motion of ${from}`, async () => {
    const chat = await browser.page();
    if (from === "the system") await chat.page.emulateMedia({ reducedMotion: "reduce" });
    else await chat.page.evaluate(() => document.body.classList.add("vscode-reduce-motion"));
    const script = new TeamScript();
    script.chunk(script.startMessage("author"), "Hello");
    await chat.open(script);
    const moving = await chat.page.evaluate(() => document.getAnimations().length);
    assert.equal(moving, 0);
  });
}
