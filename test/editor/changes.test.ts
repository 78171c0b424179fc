import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { themeLabels } from "../page/themes.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** A team that changes two places of notes.txt, and makes a file. */
const TEAM = `
name: Editors
kind: roundRobin
participants:
  - { name: ed, tools: [editFile, writeFile] }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      ed:
        - calls: [{ tool: editFile, input: { path: notes.txt, old: second, new: changed } }]
        - calls: [{ tool: editFile, input: { path: notes.txt, old: last, new: final } }]
        - calls: [{ tool: writeFile, input: { path: src/made.txt, content: made } }]
        - That is edited.
        - calls: [{ tool: editFile, input: { path: notes.txt, old: changed, new: twice } }]
        - Edited again.
`;

/** A team that edits plan.txt, moves it and draft.txt by a command, and edits it where it is then. */
const MOVERS = `
name: Movers
kind: roundRobin
participants:
  - { name: mo, tools: [editFile, runCommand] }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      mo:
        - calls: [{ tool: editFile, input: { path: plan.txt, old: second, new: changed } }]
        - calls: [{ tool: runCommand, input: { command: "mv plan.txt agenda.txt && mv draft.txt letter.txt" } }]
        - calls: [{ tool: editFile, input: { path: agenda.txt, old: last, new: final } }]
        - All is moved.
`;

const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;

test("what a team changed is reviewed, kept and undone by hunk and by file, beside the user's own edits", async (context) => {
  const folder = await folderWithTeam(context, "edit.team.yaml", TEAM);
  await writeFile(join(folder, "notes.txt"), lines("first", "second", "third", "fourth", "last"));
  await writeFile(join(folder, "move.team.yaml"), MOVERS);
  await writeFile(join(folder, "plan.txt"), lines("first", "second", "third", "fourth", "last"));
  await writeFile(join(folder, "draft.txt"), lines("Dear team", "regards"));
  await withEditor("changes", { workspace: folder }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "changes");
    const notes = join(editor.workspace, "notes.txt");
    const holds = (text: string) =>
      until(`notes.txt holds ${JSON.stringify(text)}`, async () =>
        (await readFile(notes, "utf8")) === text ? true : undefined,
      );
    const { page } = editor;
    const said = async (text: string) => (await gavel.rows()).filter({ hasText: text });
    const changes = async (text: string) => (await gavel.chat()).locator(".changes-line", { hasText: text }).waitFor();
    const tree = page.locator(".pane", { has: page.locator(".pane-header", { hasText: /^Changes/ }) });

    await step("1 the chat and the view list the files with their counts", async () => {
      await gavel.openTeam("edit.team.yaml", "Editors");
      await gavel.run("Go");
      for (const shown of ["changed", "final", "made.txt"]) {
        const card = (await gavel.chat()).locator('.pending[data-settled="true"]', { hasText: shown });
        await card.locator('[data-decision="accept"]').click();
      }
      await gavel.sees("That is edited.");
      await gavel.untilStopped("Editors");
      await changes("2 files changed");
      await changes("+3");
      await tree.locator(".pane-header").click();
      await tree.getByRole("treeitem", { name: "notes.txt, changed by ed, 2 lines added, 2 removed" }).waitFor();
      await tree.getByRole("treeitem", { name: "src/made.txt, created by ed, 1 line added, 0 removed" }).waitFor();
    });

    await step("1b the view groups by turn instead, by mouse, and by file again, by keyboard", async () => {
      await tree.locator(".pane-header").hover();
      await tree.getByRole("button", { name: "Group Changes by Turn" }).click();
      const turn = tree.getByRole("treeitem", { name: /^Turn of ed at .*, 2 files, 3 lines added, 2 removed$/ });
      await turn.waitFor();
      await tree.getByRole("treeitem", { name: "src/made.txt, created by ed, 1 line added, 0 removed" }).waitFor();
      await editor.screenshot("changes-by-turn");
      await editor.runCommand("Gavel: Group Changes by File");
      await turn.waitFor({ state: "detached" });
    });

    await step("2 all changes open in one editor", async () => {
      await gavel.click("View");
      await page.getByRole("tab", { name: /Gavel: All Changes/ }).waitFor();
      await page.locator(".multiDiffEntry .modified .view-lines", { hasText: "final" }).waitFor();
      assert.equal(await page.locator(".multiDiffEntry .status.renamed").count(), 0);
    });

    await step("3 the diff of a file opens from its row, and a hunk is undone by keyboard", async () => {
      await tree.getByRole("treeitem", { name: /^notes\.txt/ }).click();
      await page.getByRole("tab", { name: /notes\.txt \(Changes\)/ }).waitFor();
      const right = page.locator(".editor.modified .view-lines").last();
      await right.getByText("final").click();
      await editor.press("Control+K");
      await editor.press("Control+Shift+U");
      await holds(lines("first", "changed", "third", "fourth", "last"));
      await changes("+2");
      await editor.clearNotification("1 file was restored");
    });

    await step("4 the file itself offers Keep and Undo at each change", async () => {
      await (await gavel.chat()).getByRole("button", { name: "Open notes.txt" }).first().click();
      const text = page.locator(".editor-instance .view-lines").first();
      await page.locator(".codelens-decoration").getByText("Undo", { exact: true }).waitFor();
      await text.getByText("fourth").click();
      await editor.press("End");
      await page.keyboard.type(", mine");
      await editor.runCommand("File: Save");
      await holds(lines("first", "changed", "third", "fourth, mine", "last"));
    });

    await step("5 the gutter marks who wrote a line, and a hover tells who approved it", async () => {
      const group = page.locator(".editor-instance").first();
      await group.locator(".glyph-margin-widgets .cgmr[class*='ced-']").first().waitFor();
      await group.locator(".view-lines").getByText("changed").hover();
      const hover = page.locator(".monaco-hover", { hasText: "Written by ed with editFile" });
      await hover.waitFor();
      assert.match((await hover.textContent()) ?? "", /Approved by you\./);
      await editor.screenshot("changes-author-hover");
      await hover.getByText("Show Message").click();
      const row = (await gavel.chat()).locator("article:focus", { hasText: "Approved by you" });
      await row.getByText("editFile").first().waitFor();
    });

    await step("6 so does a command, by keyboard; a line of the user has no author", async () => {
      const text = page.locator(".editor-instance .view-lines").first();
      await (await gavel.chat()).locator(".composer-text").focus();
      await text.getByText("changed").click();
      await editor.runCommand("Gavel: Show Who Wrote This Line");
      await (await gavel.chat()).locator("article:focus", { hasText: "Approved by you" }).waitFor();
      await text.getByText("fourth").click();
      await editor.runCommand("Gavel: Show Who Wrote This Line");
      await editor.notification("The team did not write this line.").waitFor();
    });

    await step("7 an undo of all keeps what the user wrote, and can be redone", async () => {
      await editor.runCommand("Gavel: Undo All Changes…");
      const question = await editor.dialog.text();
      assert.match(question, /Undo the changes in 2 files \(\+2 −1\)\?/);
      assert.match(question, /notes\.txt \+1 −1/);
      await editor.dialog.choose("Undo All");
      await holds(lines("first", "second", "third", "fourth, mine", "last"));
      const made = join(editor.workspace, "src", "made.txt");
      await until("the new file is deleted", async () => (existsSync(made) ? undefined : true));
      await (await gavel.chat()).locator(".changes-line").waitFor({ state: "detached" });
      await editor.notification("2 files were restored").getByText("Redo").click();
      await holds(lines("first", "changed", "third", "fourth, mine", "last"));
      await changes("2 files changed");
    });

    await step("8 what is kept is no longer listed", async () => {
      await tree.getByRole("treeitem", { name: /^src\/made\.txt/ }).hover();
      await tree
        .getByRole("treeitem", { name: /^src\/made\.txt/ })
        .getByRole("button", { name: "Keep" })
        .click();
      await changes("1 file changed");
      await editor.runCommand("Gavel: Keep All Changes");
      await (await gavel.chat()).locator(".changes-line").waitFor({ state: "detached" });
      await tree.getByText("No changes to review.").waitFor();
      await holds(lines("first", "changed", "third", "fourth, mine", "last"));
    });

    await step(
      "9 files and thread go back together to before a message, whose text is in the composer again",
      async () => {
        await gavel.run("Once more");
        await (await gavel.chat()).locator('.pending[data-settled="true"] [data-decision="accept"]').click();
        await gavel.sees("Edited again.");
        await gavel.untilStopped("Editors");
        await holds(lines("first", "twice", "third", "fourth, mine", "last"));
        await editor.runCommand("Gavel: Group Changes by Turn");
        const turn = tree.getByRole("treeitem", { name: /^Turn of ed at .*, 1 file, 1 line added, 1 removed$/ });
        await turn.hover();
        await turn.getByRole("button", { name: "Undo Turn" }).click();
        await holds(lines("first", "changed", "third", "fourth, mine", "last"));
        await editor.notification("1 file was restored").getByText("Redo").click();
        await holds(lines("first", "twice", "third", "fourth, mine", "last"));
        await turn.click();
        await editor.press("Shift+F10");
        await page.getByRole("menuitem", { name: "Keep Turn" }).waitFor();
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
        await tree.getByText("No changes to review.").waitFor();
        const message = (await gavel.rows()).filter({ hasText: "Once more" });
        await message.hover();
        await message.getByRole("button", { name: "Restore to Before This Message…" }).click();
        const question = await editor.dialog.text();
        assert.match(question, /Restore to before this message\?/);
        assert.match(question, /Files that go back: 1 file\.\s*notes\.txt/);
        await editor.dialog.choose("Restore Files and Thread");
        await holds(lines("first", "changed", "third", "fourth, mine", "last"));
        await gavel.sees("Checkpoint restored.");
        const chat = await gavel.chat();
        await (await said("Edited again.")).waitFor({ state: "detached" });
        await until("the message is in the composer", async () =>
          (await chat.locator(".composer-text").inputValue()) === "Once more" ? true : undefined,
        );
      },
    );

    await step("10 that is undone from its notification, and done again from the palette by keyboard", async () => {
      await editor.notification("Checkpoint restored: 1 file and the thread").getByText("Undo").click();
      await holds(lines("first", "twice", "third", "fourth, mine", "last"));
      await (await said("Edited again.")).waitFor();
      await editor.runCommand("Gavel: Restore Checkpoint…");
      await editor.quickInput.opened("Restore Checkpoint");
      await editor.quickInput.type("Once more");
      await editor.quickInput.accept();
      await editor.dialog.choose("Restore Thread");
      await (await said("Edited again.")).waitFor({ state: "detached" });
      await holds(lines("first", "twice", "third", "fourth, mine", "last"));
    });

    await step("11 the team's edits follow a file that a command moved, and the move is a row of its own", async () => {
      await gavel.openTeam("move.team.yaml", "Movers");
      await gavel.run("Move them");
      for (const shown of ["changed", "mv plan.txt", "final"]) {
        const card = (await gavel.chat()).locator('.pending[data-settled="true"]', { hasText: shown });
        await card.locator('[data-decision="accept"]').click();
      }
      await gavel.sees("All is moved.");
      await gavel.untilStopped("Movers");
      await changes("1 file changed");
      await tree.getByRole("treeitem", { name: /^agenda\.txt, changed by mo, 2 lines added, 2 removed/ }).waitFor();
      await tree.getByRole("treeitem", { name: /^agenda\.txt, moved from plan\.txt while mo ran/ }).waitFor();
      assert.equal(await tree.getByRole("treeitem", { name: /^plan\.txt/ }).count(), 0);
    });

    await step("12 the row of a moved file opens what has changed in it since", async () => {
      await writeFile(join(editor.workspace, "letter.txt"), lines("Dear all", "regards"));
      await tree.getByRole("treeitem", { name: /^letter\.txt, moved from draft\.txt/ }).click();
      await page.getByRole("tab", { name: /draft\.txt → letter\.txt \(Moved\)/ }).waitFor();
      await page.locator(".editor.original .view-lines", { hasText: "Dear team" }).last().waitFor();
      await page.locator(".editor.modified .view-lines", { hasText: "Dear all" }).last().waitFor();
    });

    await step("13 a hunk of the moved file is undone where it is now, in every kind of theme", async () => {
      await (await gavel.chat()).getByRole("button", { name: "Open agenda.txt" }).last().click();
      await page.getByRole("tab", { name: /^agenda\.txt/ }).waitFor();
      await page.locator(".codelens-decoration").getByText("Undo", { exact: true }).first().waitFor();
      const frame = await gavel.chat();
      await mkdir(join(editor.workspace, ".vscode"), { recursive: true });
      for (const theme of ["light", "dark", "contrast", "contrastLight"] as const) {
        const settings = JSON.stringify({ "workbench.colorTheme": themeLabels[theme] });
        await writeFile(join(editor.workspace, ".vscode", "settings.json"), settings);
        await frame.waitForFunction((id) => document.body.dataset["vscodeThemeId"] === id, themeLabels[theme]);
        await editor.screenshot(`changes-theme-${theme}`);
      }
      await page.locator(".codelens-decoration").getByText("Undo", { exact: true }).last().click();
      const agenda = join(editor.workspace, "agenda.txt");
      await until("the hunk is undone", async () =>
        (await readFile(agenda, "utf8")) === lines("first", "changed", "third", "fourth", "last") ? true : undefined,
      );
      await tree.getByRole("treeitem", { name: /^agenda\.txt, changed by mo, 1 line added, 1 removed/ }).waitFor();
    });

    await step(
      "14 what is renamed and moved in the Explorer keeps its changes, and is undone where it is now",
      async () => {
        await editor.runCommand("File: Reveal Active File in Explorer View");
        const explorer = page.locator(".explorer-folders-view");
        await explorer.locator(".monaco-list-row.focused", { hasText: "agenda.txt" }).waitFor();
        await editor.press("F2");
        await explorer.locator(".explorer-item-edited input").waitFor();
        await editor.press("Control+A");
        await page.keyboard.type("topics/list.txt");
        await editor.press("Enter");
        await page.getByRole("tab", { name: /^list\.txt/ }).waitFor();
        // The Explorer takes the focus once more, for the row under its new name; that would close the palette.
        await explorer.locator(".monaco-list:focus .monaco-list-row.focused", { hasText: "list.txt" }).waitFor();
        await editor.runCommand("Gavel: Focus Chat");
        // The chat takes the focus when it is shown, which would close the palette too.
        await (await gavel.chat()).locator(".composer-text:focus").waitFor();
        await editor.runCommand("Gavel: Group Changes by File");
        await tree.getByRole("treeitem", { name: /^Turn of mo / }).waitFor({ state: "detached" });
        const moved = tree.getByRole("treeitem", {
          name: /^topics\/list\.txt, changed by mo, 1 line added, 1 removed/,
        });
        await moved.waitFor();
        assert.equal(await tree.getByRole("treeitem", { name: /^agenda\.txt/ }).count(), 0);
        await changes("1 file changed");
        await moved.click();
        await page.getByRole("tab", { name: /list\.txt \(Changes\)/ }).waitFor();
        await moved.getByRole("button", { name: "Undo" }).click();
        const list = join(editor.workspace, "topics", "list.txt");
        await until("the moved file is as it was", async () =>
          (await readFile(list, "utf8")) === lines("first", "second", "third", "fourth", "last") ? true : undefined,
        );
      },
    );
  });
});
