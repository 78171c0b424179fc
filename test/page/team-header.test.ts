import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { LONG_NAME, manySpeakers } from "./many-speakers.ts";

const browser = pageBrowser();

/** How many lines a list of elements takes, and which of them are cut by the page's or the list's edge. */
const chipsAt = (chat: ChatPageDriver): Promise<{ lines: number; cut: string[]; height: number }> =>
  chat.page.locator(".participants").evaluate((list) => {
    const edge = list.getBoundingClientRect();
    const items = [...list.children].filter((item) => getComputedStyle(item).visibility !== "hidden");
    const boxes = items.map((item) => ({ text: item.textContent, box: item.getBoundingClientRect() }));
    return {
      lines: new Set(boxes.map(({ box }) => Math.round((box.top + box.bottom) / 2))).size,
      cut: boxes
        .filter(({ box }) => box.right > edge.right + 0.5 || box.bottom > edge.bottom + 0.5)
        .map(({ text }) => text),
      height: edge.height,
    };
  });

for (const [width, height] of [
  [170, 720],
  [250, 720],
  [430, 720],
  [900, 720],
  [900, 270],
] as const) {
  test(`chips and the speaking bar take two lines at ${width} × ${height}`, async () => {
    const chat = await browser.page({ width, height });
    await chat.open(manySpeakers());
    const { lines, cut, height: chips } = await chipsAt(chat);
    assert.ok(lines <= 2, `chips take ${lines} lines`);
    assert.ok(chips <= 60, `chips are ${chips} px high`);
    assert.deepEqual(cut, []);
    const bar = chat.page.locator(".activity-text");
    const [text, lineHeight] = await bar.evaluate((element) => [
      element.getBoundingClientRect().height,
      Number.parseFloat(getComputedStyle(element).lineHeight),
    ]);
    assert.ok(
      text !== undefined && lineHeight !== undefined && text <= 2 * lineHeight + 1,
      `the bar is ${text} px high`,
    );
    assert.equal(await bar.textContent(), "participant_1, participant_2, and 2 more are speaking");
    assert.match((await bar.getAttribute("title")) ?? "", new RegExp(`${LONG_NAME} are speaking$`));
    const names = await chat.page
      .locator(".speaker-line")
      .evaluateAll((all) => all.map((line) => line.scrollWidth - line.clientWidth));
    assert.deepEqual([...new Set(names)], [0], "a speaker's line is not cut");

    const more = chat.page.locator(".more-participants");
    const hidden = await chat.page.locator(".is-left-over").count();
    assert.equal(await more.count(), hidden > 0 ? 1 : 0);
    if (hidden === 0) return;
    assert.equal(await more.innerText(), `+${hidden}`);
    await more.press("Enter");
    assert.equal(await chat.page.getByRole("menuitem").count(), hidden);
    const name = (await chat.page.getByRole("menuitem").last().locator(".participant-name").innerText()).trim();
    await chat.page.getByRole("menuitem").last().press("Enter");
    assert.equal(await chat.composer.inputValue(), `@${name} `);
  });
}

test("a wider page shows more chips", async () => {
  const chat = await browser.page({ width: 430 });
  await chat.open(manySpeakers());
  const leftOver = chat.page.locator(".is-left-over");
  const narrow = await leftOver.count();
  assert.ok(narrow > 0);
  await chat.page.setViewportSize({ width: 900, height: 700 });
  await chat.post();
  assert.ok((await leftOver.count()) < narrow);
});
