import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { galleryStates } from "./gallery-states.ts";
import { TeamScript } from "./team-script.ts";

const browser = pageBrowser();

const sizes = [
  [170, 720],
  [250, 720],
  [430, 720],
  [900, 720],
  [430, 270],
  [170, 270],
] as const;

/** What can be used and is cut by the left or the right edge of the page, unless it can be scrolled there. */
function cutControls(chat: ChatPageDriver): Promise<readonly string[]> {
  return chat.page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element.id !== "app" &&
      ((/auto|scroll/.test(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth) ||
        scrolls(element.parentElement));
    return [...document.querySelectorAll("button, textarea, input, a, summary, [role=tab]")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (left < -0.5 || right > innerWidth + 0.5) && !scrolls(element.parentElement);
      })
      .map((element) => element.getAttribute("aria-label") ?? element.textContent ?? "");
  });
}

for (const { name, show } of galleryStates) {
  test(`no control is cut in the state "${name}", at any width and height`, async () => {
    const chat = await browser.page({ width: 430, height: 720 });
    await show(chat);
    const cut: Record<string, readonly string[]> = {};
    for (const [width, height] of sizes) {
      await chat.page.setViewportSize({ width, height });
      // Rows and chips are laid out again.
      await chat.post();
      const found = await cutControls(chat);
      if (found.length > 0) cut[`${width} × ${height}`] = found;
    }
    assert.deepEqual(cut, {});
  });
}

test("the list of what is attached shows whole rows, also when it is scrolled", async () => {
  for (const [width, height] of sizes) {
    const chat = await browser.page({ width, height });
    await chat.open(new TeamScript());
    const attachments = Array.from({ length: 30 }, (_, index) => ({
      key: `k${index}`,
      kind: "file" as const,
      name: `src/file-number-${index}.ts`,
      uri: `file:///project/src/file-number-${index}.ts`,
      tokens: 100 + index,
    }));
    await chat.post({ type: "attached", teamId: "team-1", attachments });
    const list = chat.page.locator(".attachments");
    const cutRows = () =>
      list.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return [...element.querySelectorAll(".attachment")].filter((row) => {
          const box = row.getBoundingClientRect();
          return (box.top < top && box.bottom > top + 1) || (box.top < bottom - 1 && box.bottom > bottom + 0.5);
        }).length;
      });
    assert.equal(await cutRows(), 0, `at ${width} × ${height}`);
    await list.evaluate((element) => element.scrollBy({ top: 40, behavior: "instant" }));
    await chat.post();
    assert.equal(await cutRows(), 0, `scrolled at ${width} × ${height}`);
    await chat.page.close();
  }
});
