import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { PageBrowser } from "./chat-page.ts";
import { galleryStates } from "./gallery/gallery-states.ts";
import type { ThemeName } from "./themes.ts";

// `node test/page/gallery.ts [FOLDER [STATE…]]` takes a screenshot of the page in each state, theme and width.
const [folder = "test-results/page", ...wanted] = process.argv.slice(2);
const themes: readonly ThemeName[] = ["dark", "light", "contrast", "contrastLight"];
const widths = [
  ["low", 430, 270],
  ["narrow", 170, 720],
  ["side", 250, 720],
  ["panel", 430, 720],
  ["wide", 900, 820],
] as const;

mkdirSync(folder, { recursive: true });
const browser = await PageBrowser.open();
try {
  for (const { name, show } of galleryStates) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    for (const theme of themes) {
      for (const [label, width, height] of widths) {
        const chat = await browser.page({ theme, width, height });
        await show(chat);
        await chat.page.screenshot({ path: join(folder, `${name}-${theme}-${label}.png`) });
        const violations = await chat.violations();
        if (violations.length > 0) console.error(name, theme, label, violations);
        await chat.page.close();
      }
    }
  }
} finally {
  await browser.close();
}
