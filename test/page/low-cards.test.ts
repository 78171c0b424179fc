import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatPageDriver, pageBrowser } from "./chat-page.ts";
import { galleryStates } from "./gallery/gallery-states.ts";

const browser = pageBrowser();

const sizes = [
  [170, 270],
  [250, 270],
  [430, 270],
] as const;

/** The buttons of the last card that are not whole in the thread, or are covered, while the card is at that place. */
function outOfView(chat: ChatPageDriver, block: "start" | "center" | "end"): Promise<readonly string[]> {
  return chat.page.evaluate((place) => {
    const card = [...document.querySelectorAll(".pending")].at(-1);
    const list = document.querySelector(".list");
    if (card === undefined || list === null) return ["no card"];
    card.scrollIntoView({ block: place, behavior: "instant" });
    const { top, bottom } = list.getBoundingClientRect();
    return [...card.querySelectorAll(".button-row button")]
      .filter((button) => {
        const box = button.getBoundingClientRect();
        const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        return box.top < top - 1 || box.bottom > bottom + 1 || !button.contains(at);
      })
      .map((button) => `${place}: ${button.getAttribute("aria-label") ?? button.textContent}`);
  }, block);
}

const names = [
  "pending",
  "sandbox",
  "card-edit",
  "card-new-file",
  "card-patch",
  "card-result",
  "card-agent",
  "card-page",
  "question-remote",
  "choices",
  "several-choices",
];

for (const { name, show } of galleryStates.filter((state) => names.includes(state.name))) {
  test(`in a page so low that the card is higher than the thread, its decision is in view: ${name}`, async () => {
    for (const [width, height] of sizes) {
      const chat = await browser.page({ width, height });
      await show(chat);
      for (const place of ["start", "center", "end"] as const)
        assert.deepEqual(await outOfView(chat, place), [], `${width} × ${height}`);
      const composer = await chat.page.locator(".composer").boundingBox();
      assert.ok(composer !== null && composer.y + composer.height <= height, `the chat box at ${width} × ${height}`);
      await chat.page.close();
    }
  });
}
