import assert from "node:assert/strict";
import { test } from "node:test";
import { axeFindings } from "./axe.ts";
import { pageBrowser } from "./chat-page.ts";
import { galleryStates } from "./gallery/gallery-states.ts";
import { themeNames } from "./themes.ts";

const browser = pageBrowser();

for (const { name, show } of galleryStates) {
  test(`axe finds nothing in the state ${name}, in any theme`, async () => {
    const chat = await browser.page({ width: 430, height: 720 });
    await show(chat);
    const found = await axeFindings(chat.page);
    for (const theme of themeNames) {
      await chat.useTheme(theme);
      const faint = await axeFindings(chat.page, ["color-contrast"]);
      found.push(...faint.map((line) => `${theme}: ${line}`));
    }
    assert.deepEqual(found, []);
  });
}
