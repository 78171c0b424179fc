import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator } from "playwright-core";
import { type ChatPageDriver, pageBrowser, seen } from "./chat-page.ts";
import { manySpeakers } from "./many-speakers.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const line = (number: number): string => `Line ${number} is said.\n\n`;
const lines = (count: number): string => Array.from({ length: count }, (_, at) => line(at + 1)).join("");

/** Three participants are active: two write a long text each, the third is thinking. */
function threeAtOnce(said = ""): { readonly script: TeamScript; readonly author: string; readonly reviewer: string } {
  const script = new TeamScript("Release check", { kind: "graph" }).task("Is 2.4 ready?");
  if (said !== "") script.say("tester", said);
  script.durable({ type: "speaker/selected", participants: ["author", "reviewer", "tester"] });
  for (const from of ["author", "reviewer", "tester"]) {
    script.durable({ type: "reasoning/start", id: `turn-${from}`, from, input: "" });
  }
  const [author, reviewer] = [script.stream("author"), script.stream("reviewer")];
  script.chunk(author, lines(40)).chunk(reviewer, lines(40));
  return { script, author, reviewer };
}

const messageOf = (chat: ChatPageDriver, name: string): Locator =>
  chat.page.locator("article", { has: chat.page.locator(".speaker-name", { hasText: name }) }).locator(".message");

/** The height of an element in its own lines. */
const linesOf = (element: Locator): Promise<number> =>
  element.evaluate((box) => box.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(box).lineHeight));

/** Whether an element's text can be seen within what is around it. */
const isSeen = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const frame = element.closest(".message")?.getBoundingClientRect();
    return frame !== undefined && top >= frame.top - 1 && bottom <= frame.bottom + 1;
  });

for (const [width, height, most] of [
  [170, 720, 1],
  [250, 720, 1],
  [430, 720, 6],
  [900, 720, 6],
  [900, 270, 1],
] as const) {
  test(`speakers at the same time show the last ${most} of their lines at ${width} × ${height}`, async () => {
    const chat = await browser.page({ width, height });
    const { script } = threeAtOnce();
    await chat.open(script);
    for (const name of ["author", "reviewer"]) {
      const message = messageOf(chat, name);
      const shown = await linesOf(message);
      assert.ok(shown > 0.9 && shown < most + 0.1, `${name} has ${shown} lines`);
      assert.ok(await isSeen(message.getByText("Line 40 is said.")), `${name} shows its last line`);
    }
    const thinking = chat.page.locator(".activity-lane");
    const { height: high, cut } = await thinking.evaluate((lane) => {
      const row = lane.querySelector(".lane-line");
      return {
        height: lane.getBoundingClientRect().height,
        cut: row === null || row.scrollWidth > row.clientWidth,
      };
    });
    assert.ok(high < 46, `the thinking participant's line is ${high} px high`);
    assert.equal(cut, false, "all of the thinking participant's line is within it");
    assert.match(await seen(thinking), /^t/);
  });
}

test("each lane says who it is and what it does, and interrupts its participant alone", async () => {
  const chat = await browser.page({ width: 430, height: 720 });
  const { script } = threeAtOnce();
  await chat.open(script);
  const lanes = await chat.page.locator(".lane-label").allInnerTexts();
  assert.deepEqual(
    lanes.map((text) => text.replaceAll(/\s+/g, " ").trim()),
    ["author writing", "reviewer writing", "tester thinking…"],
  );
  await chat.page.getByRole("button", { name: "Interrupt Reasoning of tester" }).click();
  await chat.page.getByRole("button", { name: "Interrupt tester" }).press("Enter");
  await chat.page.getByRole("button", { name: "Interrupt author" }).click();
  const posted = (await chat.posted()).filter(({ type }) => type.startsWith("interrupt"));
  assert.deepEqual(posted, [
    { type: "interruptReasoning", participant: "tester", path: [] },
    { type: "interrupt", scope: { participant: "tester" } },
    { type: "interrupt", scope: { participant: "author" } },
  ]);
});

test("a lane expands to its whole text, with the mouse and with the keyboard", async () => {
  const chat = await browser.page({ width: 430, height: 720 });
  const { script, author } = threeAtOnce();
  await chat.open(script);
  const message = messageOf(chat, "author");
  const toggle = chat.page.getByRole("button", { name: "author writing" });
  assert.equal(await toggle.getAttribute("aria-expanded"), "false");
  await toggle.click();
  assert.equal(await toggle.getAttribute("aria-expanded"), "true");
  assert.ok((await linesOf(message)) > 40);
  script.take();
  script.chunk(author, line(41));
  await chat.live(script);
  assert.ok(await isSeen(message.getByText("Line 41 is said.")));
  await toggle.press("Enter");
  assert.ok((await linesOf(message)) < 6.1);
  const row = chat.page.locator("article", { has: toggle });
  await row.focus();
  await row.press("Enter");
  assert.equal(await toggle.getAttribute("aria-expanded"), "true");
});

test("a thought in a lane is one line, and expands to its text", async () => {
  const chat = await browser.page({ width: 430, height: 720 });
  const { script } = threeAtOnce();
  await chat.open(script);
  script.take();
  script.transient({ type: "reasoning/chunk", from: "tester", correlation_id: ["turn-tester"], delta: "Two lines." });
  await chat.live(script);
  assert.equal(await chat.page.locator(".activity-lane").count(), 0);
  assert.equal(await chat.page.getByText("Two lines.").count(), 0);
  await chat.page.getByRole("button", { name: "Interrupt Reasoning of tester" }).waitFor();
  await chat.page.getByRole("button", { name: "tester thinking…" }).click();
  await chat.page.getByText("Two lines.").waitFor();
});

test("a complete message becomes a row of its own, and what is shown stays in its place", async () => {
  const chat = await browser.page({ width: 430, height: 720 });
  const { script, author, reviewer } = threeAtOnce("Said before, in a line of its own.\n\n".repeat(20));
  await chat.open(script);
  const top = (locator: Locator): Promise<number> => locator.evaluate((box) => box.getBoundingClientRect().top);
  const last = messageOf(chat, "reviewer").getByText("Line 40 is said.");
  const before = await top(last);
  script.take();
  script.endMessage(author, "author", lines(40));
  await chat.live(script);
  // At the end of the list, what is above grows upwards.
  assert.ok((await linesOf(messageOf(chat, "author"))) > 40);
  assert.ok((await linesOf(messageOf(chat, "reviewer"))) < 6.1, "two others are still active");
  assert.ok(Math.abs((await top(last)) - before) < 1.5, `it moved from ${before} to ${await top(last)}`);

  // A reader above the end: the first row in view stays where it is.
  await chat.page.locator(".list").evaluate((list) => list.scrollBy({ top: -300 }));
  const read = messageOf(chat, "author").getByText("Line 35 is said.");
  const held = await top(read);
  script.endMessage(reviewer, "reviewer", lines(40));
  await chat.live(script);
  assert.ok((await linesOf(messageOf(chat, "reviewer"))) > 40);
  assert.ok(Math.abs((await top(read)) - held) < 1.5, `it moved from ${held} to ${await top(read)}`);
  assert.equal(await chat.page.locator(".row.is-lane").count(), 0);
});

test("in a low page with many speakers, four lines of the thread can be read", async () => {
  const chat = await browser.page({ width: 430, height: 270 });
  await chat.open(manySpeakers());
  const chips = await chat.page.locator(".participants").evaluate((list) => list.getBoundingClientRect().height);
  assert.ok(chips <= 30, `the chips are ${chips} px high`);
  const shown = await chat.page.locator(".list").evaluate((list) => {
    const message = list.querySelector(".message") ?? list;
    return list.clientHeight / Number.parseFloat(getComputedStyle(message).lineHeight);
  });
  assert.ok(shown >= 4, `${shown} lines of the thread are shown`);
  await chat.page.setViewportSize({ width: 430, height: 720 });
  await chat.page.waitForFunction(() => (document.querySelector(".participants")?.clientHeight ?? 0) > 30);
});
