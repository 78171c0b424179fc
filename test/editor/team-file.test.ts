import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { folderWithTeam } from "./team-folder.ts";

/** A file that is not finished: a kind is missing, and a tool is misspelt. */
const BEGUN = `name: Helpers
models: { default: { provider: practice, pace: 0, lines: { ann: [Done.] } } }
maxTurns: 1
participants:
  - name: ann
    tools: [readFiel]
kind: 
`;

test("a team file is written with completion, hover and problems as it changes, and run from its first line", async (context) => {
  const workspace = await folderWithTeam(context, "helpers.team.yaml", BEGUN);
  await withEditor("team-file", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { page } = editor;
    await page.getByRole("tab", { name: "Gavel" }).waitFor();
    await editor.runCommand("Go to File...");
    await editor.quickInput.opened("Search files by name");
    await editor.quickInput.type("helpers");
    await editor.quickInput.choose("helpers.team.yaml");

    // Both problems are marked, without a save and without Gavel having been used.
    const marks = page.locator(".monaco-editor .squiggly-error");
    await until("two problems are marked", async () => ((await marks.count()) === 2 ? true : undefined));

    // A click behind "kind: ", and the choices are shown with what they mean.
    await page.locator(".view-line", { hasText: "kind:" }).click();
    await editor.press("End");
    await editor.runCommand("Trigger Suggest");
    const suggestions = page.locator(".suggest-widget.visible .monaco-list-row");
    await suggestions.filter({ hasText: "roundRobin" }).waitFor();
    await editor.screenshot("team-file-completion");
    await editor.press("Enter");
    await until("the kind is written", async () =>
      (await page.locator(".view-line", { hasText: "roundRobin" }).count()) === 1 ? true : undefined,
    );
    await until("one problem is left", async () => ((await marks.count()) === 1 ? true : undefined));

    await page.locator(".view-line span", { hasText: "participants" }).last().hover();
    await page
      .locator(".monaco-hover:visible", { hasText: "The participants. Round robin follows their order" })
      .waitFor();
    await editor.screenshot("team-file-hover");
    await editor.press("Escape");

    // The misspelt tool is replaced by one from the list.
    await page.locator(".view-line span", { hasText: "readFiel" }).last().dblclick();
    await page.keyboard.type("readF");
    await suggestions.filter({ hasText: "readFile" }).waitFor();
    await editor.press("Enter");
    await until("no problem is left", async () => ((await marks.count()) === 0 ? true : undefined));

    // The lens saves the file, opens the team, and the task is typed right away.
    await page.locator(".codelens-decoration a", { hasText: "Run in Chat" }).click();
    const composer = (await gavel.chat()).locator("textarea:focus");
    await composer.waitFor();
    await page.keyboard.type("Help me");
    await editor.press("Enter");
    await gavel.sees("Help me");
    await gavel.sees("Done.");
    assert.match(
      await readFile(join(editor.workspace, "helpers.team.yaml"), "utf8"),
      /tools: \[readFile\]\nkind: roundRobin/,
    );
    await editor.screenshot("team-file-lens");
  });
});
