import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** A command that looks like another one: an override reverses its end, and a second line hides below. */
const HOSTILE = "echo safe \\u202Eexe.tset\\nrm -rf .";

const edit = (from: string, to: string): string =>
  `        - calls: [{ tool: editFile, input: { path: notes.txt, old: ${from}, new: ${to} } }]`;

const team = `
name: Approvals
kind: roundRobin
participants:
  - { name: ed, tools: [editFile, runCommand], maxToolIterations: 20 }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      ed:
${edit("one", "two")}
${edit("two", "three")}
${edit("three", "four")}
${edit("four", "five")}
        - calls: [{ tool: runCommand, input: { command: "echo first > out.txt" } }]
        - calls: [{ tool: runCommand, input: { command: "echo ruled > ruled.txt" } }]
        - calls: [{ tool: runCommand, input: { command: "echo ruled > ruled.txt" } }]
        - calls: [{ tool: runCommand, input: { command: "${HOSTILE}" } }]
        - Then not.
`;

test("edits and commands are decided on their cards, by keyboard, in the diff editor, with a reason, edited, and by a rule", async (context) => {
  const workspace = await folderWithTeam(context, "approvals.team.yaml", team);
  await writeFile(join(workspace, "notes.txt"), "title\none\nend\n");
  await withEditor("approvals", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "approvals");
    const file = (name: string): string => join(editor.workspace, name);
    const holds = (name: string, text: string) =>
      until(`${name} holds ${JSON.stringify(text)}`, async () =>
        (await readFile(file(name), "utf8")) === text ? true : undefined,
      );
    const card = async () => (await gavel.chat()).locator(".pending").last();
    /** Waits until the card shows this text. */
    const shows = async (text: RegExp) => {
      const frame = await gavel.chat();
      await frame.locator(".pending").filter({ hasText: text }).waitFor();
    };
    const diff = editor.page.locator(".monaco-diff-editor");

    await step("1 an edit is accepted with one click on the card", async () => {
      await gavel.openTeam("approvals.team.yaml", "Approvals");
      await gavel.run("Go");
      await shows(/notes\.txt.*\+1.*−1.*one.*two/s);
      await gavel.decide("accept");
      await holds("notes.txt", "title\ntwo\nend\n");
    });

    await step("2 the card follows the file, and the edit is accepted by keyboard alone", async () => {
      await shows(/two.*three/s);
      await writeFile(file("notes.txt"), "typed\ntwo\nend\n");
      await shows(/This has changed since it was shown.*typed/s);
      await editor.press("Control+K");
      await editor.press("Control+Shift+A");
      await gavel.untilFocused('[data-decision="accept"]');
      await gavel.untilSettled();
      await editor.press("Enter");
      await holds("notes.txt", "typed\nthree\nend\n");
    });

    await step("3 the diff editor shows the file beside the change, which its title accepts, and closes", async () => {
      await shows(/three.*four/s);
      await gavel.click("Open Diff");
      await diff.locator(".original .view-lines").filter({ hasText: /three/ }).waitFor();
      await diff.locator(".modified .view-lines").filter({ hasText: /four/ }).waitFor();
      await editor.screenshot("approvals-diff");
      await editor.page
        .locator(".editor-actions")
        .getByRole("button", { name: /^Accept/ })
        .click();
      await holds("notes.txt", "typed\nfour\nend\n");
      await diff.waitFor({ state: "detached" });
    });

    await step("4 an open diff closes when the edit is rejected on the card, with a reason", async () => {
      await shows(/four.*five/s);
      await gavel.click("Open Diff");
      await diff.locator(".modified .view-lines").filter({ hasText: /five/ }).waitFor();
      await (await card()).getByRole("button", { name: "More Answers…" }).click();
      await (await gavel.chat()).getByRole("menuitem", { name: "Reject with Reason…" }).click();
      await editor.page.keyboard.type("Four is enough.");
      await editor.press("Enter");
      await diff.waitFor({ state: "detached" });
      await gavel.sees("Four is enough.");
      assert.equal(await readFile(file("notes.txt"), "utf8"), "typed\nfour\nend\n");
    });

    await step("5 a command is edited, and the edited one runs", async () => {
      await shows(/echo first > out\.txt/);
      await gavel.click("Edit Command…");
      const box = (await card()).getByRole("textbox", { name: "Command to run instead" });
      await box.fill("echo second > out.txt");
      await gavel.click("Run Edited Command");
      await holds("out.txt", "second\n");
    });

    await step(
      "6 a rule is added from the menu, which shows it whole, and the same call then runs unasked",
      async () => {
        await shows(/echo ruled > ruled\.txt/);
        await (await card()).getByRole("button", { name: "Allow Without Asking…" }).click();
        const menu = (await gavel.chat()).getByRole("menu", { name: "Allow Without Asking…" });
        await menu.locator(".rule-text", { hasText: "runCommand with the command echo ruled" }).first().waitFor();
        await editor.screenshot("approvals-menu");
        await menu.getByRole("menuitem").first().click();
        await holds("ruled.txt", "ruled\n");
      },
    );

    await step("7 a hostile command hides nothing, and is rejected by keyboard", async () => {
      await shows(/echo safe ⟨U\+202E⟩exe\.tset⟨newline⟩\s*rm -rf \./);
      await editor.press("Control+K");
      await editor.press("Control+Shift+R");
      await gavel.untilFocused('[data-decision="reject"]');
      await gavel.untilSettled();
      await editor.press("Enter");
      await gavel.sees("Then not.");
      await gavel.untilStopped("Approvals");
      assert.equal(await editor.quickInput.offersCommand("Gavel: Approve Tool Call…"), false);
    });

    assert.deepEqual(
      editor.consoleErrors.filter((line) => line.includes("Content Security Policy")),
      [],
    );
  });
});
