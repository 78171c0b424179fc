import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** A path of more than 300 characters, each part of which a file system takes. */
const LONG = `${Array.from({ length: 5 }, (_, at) => `${"long-folder-name-".repeat(3)}${at}`).join("/")}/${"name-".repeat(20)}end.txt`;

/** The files, and how their names are shown. */
const NAMES: readonly (readonly [path: string, shown: string])[] = [
  ["safe\u202Etxt.exe", "safe⟨U+202E⟩txt.exe"],
  ["zero\u200Bwidth.txt", "zero⟨U+200B⟩width.txt"],
  ["$(flame) [x](command:workbench.action.quit).md", "$(flame) [x](command:workbench.action.quit).md"],
  ["<img src=x>.txt", "<img src=x>.txt"],
  ["👩‍🚀 שלום عربى.txt", "שלום عربى.txt"],
  [LONG, "end.txt"],
];

const TEAM = `
name: Names
kind: roundRobin
participants: [{ name: ed, tools: [writeFile] }]
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      ed:
${NAMES.map(([path]) => `        - calls: [{ tool: writeFile, input: { path: ${JSON.stringify(path)}, content: made } }]`).join("\n")}
        - All are made.
`;

test("the changes view shows hostile and very long names as text at every width, and keeps and undoes their files", async (context) => {
  const workspace = await folderWithTeam(context, "names.team.yaml", TEAM);
  await withEditor("changes-names", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "changes-names");
    const { page } = editor;
    const tree = page.locator(".pane", { has: page.locator(".pane-header", { hasText: /^Changes/ }) });
    const rows = tree.locator(".monaco-list-row");

    await step("1 six files are made", async () => {
      await gavel.openTeam("names.team.yaml", "Names");
      await gavel.run("Go");
      for (const [, shown] of NAMES) {
        const card = (await gavel.chat()).locator('.pending[data-settled="true"]', { hasText: shown });
        await card.locator('[data-decision="accept"]').click();
      }
      await gavel.sees("All are made.");
      await gavel.untilStopped("Names");
      await tree.locator(".pane-header").click();
      await rows.nth(NAMES.length - 1).waitFor();
    });

    for (const width of [220, 380, 640]) {
      await step(`2 every name is one line of text, ${width} pixels wide`, async () => {
        const side = await page.locator(".part.sidebar").boundingBox();
        assert.ok(side !== null);
        const edge = side.x + side.width;
        await page.mouse.move(edge, side.y + side.height / 2);
        await page.mouse.down();
        await page.mouse.move(side.x + width, side.y + side.height / 2, { steps: 5 });
        await page.mouse.up();
        await page.mouse.move(edge + 300, 5);
        for (const [, shown] of NAMES) {
          const row = rows.filter({ hasText: shown });
          assert.equal(await row.count(), 1, shown);
          assert.equal(await row.locator("a[href], img, .codicon-flame").count(), 0, shown);
          const [box, list] = [await row.boundingBox(), await tree.boundingBox()];
          assert.ok(box !== null && list !== null && box.x >= list.x && box.height === 22, shown);
          assert.ok(box.x + box.width <= list.x + list.width + 1, shown);
        }
      });
    }

    await step("3 the diff of each opens from its row, and names the file as it is shown", async () => {
      for (const [, shown] of NAMES) {
        await rows.filter({ hasText: shown }).click();
        await page.locator(".tabs-container .tab.active", { hasText: shown }).waitFor();
        await page.locator(".editor.modified .view-lines", { hasText: "made" }).last().waitFor();
      }
    });

    await step("4 the question before the undo has all names as text", async () => {
      await editor.runCommand("Gavel: Undo All Changes…");
      const question = await editor.dialog.text();
      for (const [, shown] of NAMES) assert.ok(question.includes(shown), shown);
      await editor.press("Escape");
    });

    await step("5 each is kept or undone by its row", async () => {
      for (const [at, [path, shown]] of NAMES.entries()) {
        const row = rows.filter({ hasText: shown });
        await row.hover();
        await row.getByRole("button", { name: at % 2 === 0 ? "Undo" : "Keep", exact: true }).click();
        await row.waitFor({ state: "detached" });
        const file = join(editor.workspace, path);
        if (at % 2 === 0) await until(`${shown} is deleted`, async () => (existsSync(file) ? undefined : true));
        else assert.equal(await readFile(file, "utf8"), "made");
      }
      await tree.getByText("No changes to review.").waitFor();
    });
  });
});
