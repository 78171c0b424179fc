import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import { GavelDriver } from "./gavel-driver.ts";
import type { Editor } from "./harness/editor.ts";
import { Film } from "./harness/film.ts";
import { withEditor } from "./harness/launch-editor.ts";

/** `npm run pictures` names the folder of the README's pictures. */
const folder = process.env["GAVEL_PICTURES"] ?? join(root, "test-results", "pictures");

const workspace = join(root, "media", "samples", "workspace");
const PLACE = { workspace, folderName: "tab", separate: true };
const WINDOW = { width: 1120, height: 740 };
const CHAT_WIDTH = 470;
const LOOK = {
  "editor.minimap.enabled": false,
  "editor.wordWrap": "on",
  "window.commandCenter": false,
  "window.title": "Tab",
};
/** What a README may load for one picture, in bytes. */
const MOST_BYTES = 1_500_000;

test("the README's pictures: a team runs, is interrupted, answers one message, and gets an approval", async () => {
  await mkdir(folder, { recursive: true });
  await withEditor("pictures", { ...PLACE, size: WINDOW, machineSettings: LOOK }, async (editor) => {
    const { page } = editor;
    const gavel = new GavelDriver(editor);
    const still = (name: string): Promise<unknown> => page.screenshot({ path: join(folder, `${name}.png`) });
    await gavel.openTeam("review.team.yaml", "Review");
    await showCode(editor);
    await widenSideBar(editor);
    // VS Code from npm has no TypeScript server, and says so over the picture.
    await page.addStyleTag({ content: ".notifications-toasts { display: none !important }" });
    const chat = await gavel.chat();
    const composer = chat.locator(".composer-text");
    await composer.click();
    await using film = await Film.of(page);

    await composer.pressSequentially("Does this program keep its promise?");
    await film.show(1200);
    await page.keyboard.press("Enter");
    await gavel.sees("This is Tab");
    await filmUntil(film, 140, async () => (await gavel.lastRow("message")).length > 300);

    await page.keyboard.press("Shift+Escape");
    await gavel.sees("You interrupted author");
    await film.show(2600);
    await still("interrupted");

    await composer.click();
    await composer.pressSequentially("@reviewer Where is the fault?");
    await film.show(1400);
    await page.keyboard.press("Enter");
    await gavel.sees("rounds each share on line 8");
    await gavel.untilStopped("Review");
    await film.show(2600);

    await chat.getByRole("button", { name: "Continue" }).first().click();
    await gavel.sees("wants to run a command");
    await gavel.untilSettled();
    await film.show(2400);
    await still("approval");
    await gavel.decide("accept");
    await gavel.sees("If you let it run");
    await filmUntil(film, 140, async () => (await gavel.lastRow("message")).length > 260);
    await film.show(2500);

    const { webp, frames } = film.file;
    await writeFile(join(folder, "interrupt.webp"), webp);
    assert.ok(webp.length < MOST_BYTES, `${webp.length} bytes`);
    assert.equal(await framesIn(editor, webp), frames);
  });
});

/** Films what happens, however fast this machine is, up to a moment of the story. */
async function filmUntil(film: Film, duration: number, isReached: () => Promise<boolean>): Promise<void> {
  do await film.show(duration);
  while (!(await isReached()));
}

/** The file that the team is about, beside the chat. */
async function showCode(editor: Editor): Promise<void> {
  await editor.press("Control+P");
  await editor.quickInput.opened("Search files");
  // The chat may take the focus late.
  await editor.page.locator(".quick-input-box input").fill("split.js");
  await editor.quickInput.choose("split.js");
  await editor.page.locator(".monaco-editor .view-line").first().waitFor();
}

/** Drags the edge of the side bar. */
async function widenSideBar({ page }: Editor): Promise<void> {
  const box = await page.locator(".part.sidebar").boundingBox();
  assert.ok(box !== null);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + CHAT_WIDTH, y, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(WINDOW.width - 10, y);
}

/** How many frames a browser finds in the film; it decodes only for pages that it trusts, as VS Code's is. */
const framesIn = ({ page }: Editor, webp: Uint8Array): Promise<number> =>
  page.evaluate(async (text) => {
    const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: "image/webp" });
    await decoder.tracks.ready;
    return decoder.tracks.selectedTrack?.frameCount ?? 0;
  }, Buffer.from(webp).toString("base64"));
