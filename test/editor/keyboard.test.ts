import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { KeyboardUser } from "./keyboard-user.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const LONG = Array.from({ length: 2000 }, (_, at) => `word${at}`).join(" ");

const TEAM = `
name: Keys
kind: swarm
participants:
  - { name: ed, handoffs: [al], tools: [editFile, runCommand] }
  - { name: al, model: short }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 4
    lines:
      ed:
        - calls: [{ tool: editFile, input: { path: notes.txt, old: second, new: changed } }]
        - calls: [{ tool: editFile, input: { path: notes.txt, old: third, new: final } }]
        - calls: [{ tool: runCommand, input: { command: echo ran } }]
        - Edited [the notes](notes.txt#L2).
        - "${LONG}"
  short: { provider: practice, pace: 0, lines: { al: ["I would not change it."] } }
`;

const lines = (...all: readonly string[]): string => `${all.join("\n")}\n`;

test("without a mouse: run, approve in the dialog and in the diff, follow a link, interrupt, ask one, undo, find the settings", async (context) => {
  const workspace = await folderWithTeam(context, "keys.team.yaml", TEAM);
  await writeFile(join(workspace, "notes.txt"), lines("first", "second", "third"));
  const machineSettings = { "gavel.approvals.confirm": "dialog" };
  await withEditor("keyboard", { workspace, machineSettings }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "keyboard");
    const { page, quickInput } = editor;
    const notes = join(editor.workspace, "notes.txt");
    const holds = (text: string) =>
      until(`notes.txt holds ${JSON.stringify(text)}`, async () =>
        (await readFile(notes, "utf8")) === text ? true : undefined,
      );
    const user = new KeyboardUser(editor, gavel);
    /** What the chat has told a screen reader. */
    const announced = async (text: RegExp) =>
      until(`${text} is announced`, async () => {
        const said = await (await gavel.chat()).locator("[aria-live=polite] p").allInnerTexts();
        return said.some((one) => text.test(one)) || undefined;
      });

    await step("1 a task is typed into the chat", async () => {
      await gavel.openTeam("keys.team.yaml", "Keys");
      await user.watchPointer();
      assert.equal(await user.focusChat(), false, "a chat that has the focus keeps it: no key is lost");
      await page.keyboard.type("Go");
      await editor.press("Enter");
      await gavel.untilSettled();
      await announced(/Approval needed: ed wants to use editFile/);
    });

    await step("2 a key opens the dialog of an edit, and Enter accepts it", async () => {
      await user.chord("A");
      assert.equal(await editor.dialog.defaultButton(), "Allow Once");
      await user.answerDialog("Allow Once");
      await holds(lines("first", "changed", "third"));
    });

    await step("3 the next one is accepted in the diff", async () => {
      await (await gavel.chat()).locator('.pending[data-settled="true"]', { hasText: "final" }).waitFor();
      await user.focusChat();
      await gavel.pressUntilFocused("Shift+Tab", ".pending .button-row > .button:last-child");
      assert.equal(await (await gavel.chat()).locator(":focus").innerText(), "Open Diff");
      await editor.press("Enter");
      await page.getByRole("tab", { name: /notes\.txt/ }).waitFor();
      await page.locator(".editor.modified .view-lines", { hasText: "final" }).last().waitFor();
      // The keys are pressed again where they come before the diff takes a decision.
      await until("the dialog is open", async () => {
        await user.chord("A");
        return until(
          "it opens",
          async () => (await page.locator(".monaco-dialog-box").isVisible()) || undefined,
          2000,
        ).catch(() => undefined);
      });
      await user.answerDialog("Allow Once");
      await holds(lines("first", "changed", "final"));
    });

    await step("4 a command is run from the palette, by its dialog", async () => {
      await (await gavel.chat()).locator('.pending[data-settled="true"]', { hasText: "echo ran" }).waitFor();
      await editor.runCommand("Gavel: Approve Tool Call…");
      await user.answerDialog("Allow Once");
      await gavel.sees("the notes");
      await gavel.untilStopped("Keys");
      await announced(/ed said: Edited/);
    });

    await step("5 a link of a message opens the file at its line", async () => {
      await user.focusChat();
      await gavel.pressUntilFocused("Shift+Tab", ".markdown a");
      await editor.press("Enter");
      await page
        .getByRole("tab", { name: /^notes\.txt/ })
        .first()
        .waitFor();
      await editor.statusBarItem("Ln 2, Col 1").waitFor();
    });

    await step("6 a run is interrupted at a key, wherever the focus is", async () => {
      await user.focusChat();
      await page.keyboard.type("Count");
      await editor.press("Enter");
      await gavel.seesStreaming();
      await editor.press("Shift+Escape");
      await gavel.untilStopped("Keys");
      await announced(/ed was interrupted: word0/);
    });

    await step("7 a message goes to one participant", async () => {
      await user.chord("M");
      await quickInput.opened("Message a Participant");
      await quickInput.choose("al");
      await quickInput.opened("al");
      await quickInput.type("Would you?");
      await quickInput.accept();
      await gavel.sees("I would not change it.");
    });

    await step("8 all changes are undone from the palette", async () => {
      await gavel.untilStopped("Keys");
      await editor.runCommand("Gavel: Undo All Changes…");
      assert.match(await editor.dialog.text(), /notes\.txt/);
      await user.answerDialog("Undo All");
      await holds(lines("first", "second", "third"));
    });

    await step("9 the settings are found by their name", async () => {
      await editor.runCommand("Preferences: Open Settings (UI)");
      await page.locator(".settings-editor .suggest-input-container .view-lines").waitFor();
      await page.keyboard.type("gavel author marks");
      await page.locator(".setting-item-contents", { hasText: "Mark in the gutter which participant" }).waitFor();
      assert.equal(await user.clicks(), 0, "no pointer was used");
    });
  });
});
