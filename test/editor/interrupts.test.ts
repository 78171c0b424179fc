import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Chair } from "./chair.ts";
import { EDITORS } from "./editors-team.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** It ends when the test interrupts it, and at no other time. */
const WORK = "sleep 600";

const team = `
name: Desk
kind: roundRobin
participants:
  - { name: author, tools: [runCommand] }
  - { name: tester }
maxTurns: 2
models:
  default:
    provider: practice
    pace: 4
    lines:
      author:
        - calls: [{ tool: runCommand, input: { command: ${WORK} } }]
        - calls: [{ tool: runCommand, input: { command: ${WORK} } }]
        - The work was cut short.
        - "${Array.from({ length: 400 }, (_, index) => `word${index + 1}`).join(" ")}"
    asked:
      tester: [Brief it is., That was one thing.]
`;

test("a user chooses what to interrupt, when a message is given, and what becomes of what waits and of what was cut short", async (context) => {
  const workspace = await folderWithTeam(context, "desk.team.yaml", team);
  await withEditor("interrupts", { workspace }, async (editor) => {
    const chair = new Chair(editor);
    const { quickInput } = editor;
    const step = stepsOf(context, editor, "interrupts");
    const rows = async () => (await quickInput.items()).map(({ label, description }) => `${label}: ${description}`);
    const showsRows = (wanted: readonly string[]) =>
      until(`the list shows ${wanted.join(" | ")}`, async () =>
        JSON.stringify(await rows()) === JSON.stringify(wanted) ? true : undefined,
      );
    const letItRun = async () => {
      await editor.notification("author asks to use runCommand").getByRole("button", { name: "Review…" }).click();
      await editor.dialog.choose("Run It");
      await editor.statusBarItem("Desk: author, using tools").waitFor();
    };
    const message = async (text: string) => {
      await editor.runCommand("Gavel: Message a Participant…");
      await quickInput.opened("Message a Participant");
      await quickInput.choose("tester");
      await quickInput.opened("What should tester know");
      await quickInput.type(text);
      await quickInput.accept();
      await quickInput.opened("When should tester be given it?");
    };

    await step("1 at rest there is nothing to interrupt, and nothing that waits", async () => {
      await chair.openTeam("desk.team.yaml", "Desk");
      assert.equal(await quickInput.offersCommand("Gavel: Interrupt…"), false);
      assert.equal(await quickInput.offersCommand("Gavel: Waiting Messages…"), false);
    });

    await step("2 the list names the team, who is at work, and the tool with what may have come of it", async () => {
      await chair.run("Go");
      await letItRun();
      await editor.press("Control+K");
      await editor.press("Control+Shift+I");
      await quickInput.opened("What should be stopped?");
      const items = await quickInput.items();
      assert.deepEqual(
        items.map(({ label }) => label),
        ["The whole team", "author", "runCommand of author"],
      );
      for (const { detail } of items) assert.match(detail, /is stopped, and may have had effects already/);
    });

    await step("3 the team is paused, and the tool that may have had effects is named", async () => {
      await quickInput.choose("The whole team");
      await quickInput.opened("Interrupt Desk");
      await quickInput.choose("Pause now");
      await editor.notification("runCommand of author was cut short and may have had effects already").waitFor();
      await chair.atRest("Desk");
    });

    await step("4 a message can wait for its target's next turn, for its eyes alone", async () => {
      await editor.runCommand("Gavel: Continue");
      await letItRun();
      await message("Be brief");
      assert.deepEqual(
        (await quickInput.items()).map(({ label }) => label).filter((label) => label !== ""),
        [
          "Now: interrupt author and ask",
          "Steer: at tester's next turn",
          "Queue: after this run",
          "Let only tester see it",
        ],
      );
      assert.match((await quickInput.items())[1]?.detail ?? "", /seen by author and tester/);
      await quickInput.choose("Let only tester see it");
      await until("only the tester sees it", async () =>
        /seen by tester$/.test((await quickInput.items())[1]?.detail ?? "") ? true : undefined,
      );
      await quickInput.choose("Steer");
      await quickInput.closed();
    });

    await step("5 the last choice comes first the next time", async () => {
      await message("One more thing");
      assert.match((await quickInput.items())[1]?.detail ?? "", /seen by tester$/);
      await quickInput.choose("Let everyone see it");
      await quickInput.choose("Queue");
      await quickInput.closed();
      await message("A third");
      await quickInput.accept();
      await quickInput.closed();
    });

    await step("6 messages that wait are moved, written anew and withdrawn, all from the keyboard", async () => {
      await editor.press("Control+K");
      await editor.press("Control+Shift+Q");
      await quickInput.opened("Waiting Messages");
      await showsRows([
        "tester: at tester's next turn, only tester sees it",
        "tester: after this run",
        "tester: after this run",
      ]);
      const details = async () => (await quickInput.items()).map(({ detail }) => detail);
      const showsDetails = (wanted: readonly string[]) =>
        until(`the list shows ${wanted.join(" | ")}`, async () =>
          JSON.stringify(await details()) === JSON.stringify(wanted) ? true : undefined,
        );
      await showsDetails(["Be brief", "One more thing", "A third"]);

      await editor.press("ArrowUp");
      await quickInput.accept();
      await quickInput.opened("Message to tester");
      await quickInput.choose("Move Up");
      await quickInput.opened("Waiting Messages");
      await showsDetails(["Be brief", "A third", "One more thing"]);

      await quickInput.accept();
      await quickInput.opened("Message to tester");
      await quickInput.choose("Withdraw");
      await quickInput.opened("Waiting Messages");
      await showsDetails(["Be brief", "One more thing"]);

      await quickInput.accept();
      await quickInput.opened("Message to tester");
      await quickInput.choose("Edit");
      await quickInput.opened("Message to tester");
      await quickInput.type(", please");
      await quickInput.accept();
      await quickInput.opened("Waiting Messages");
      await showsDetails(["Be brief, please", "One more thing"]);
      await quickInput.cancel();
    });

    await step("7 one call is cut and the turn goes on; then each message is given at its time", async () => {
      await editor.runCommand("Gavel: Interrupt…");
      await quickInput.opened("What should be stopped?");
      await quickInput.choose("runCommand of author");
      await chair.sees("The work was cut short.");
      await chair.sees("Be brief, please");
      await chair.sees("Brief it is.");
      await chair.sees("That was one thing.");
      await chair.atRest("Desk");
    });

    await step("8 one participant is paused in mid-sentence, and what was cut short is written anew", async () => {
      await chair.run("Count");
      await chair.sees("word3");
      await editor.runCommand("Gavel: Interrupt…");
      await quickInput.opened("What should be stopped?");
      assert.match((await quickInput.items())[1]?.detail ?? "", /^author: \d+ words so far$/);
      await quickInput.choose("author");
      await quickInput.opened("Interrupt author");
      await quickInput.choose("Pause now");
      await chair.atRest("Desk");
      await editor.runCommand("Gavel: Edit Partial Message…");
      await quickInput.opened("author, cut short");
      await quickInput.type(" AND NO MORE");
      await quickInput.accept();
      await editor.notification("Shall Desk go on?").waitFor();
      await chair.sees(/word3.* AND NO MORE/s);
    });

    await step("9 a fork has a thread of its own: what was cut short is dropped in one of the two", async () => {
      await editor.runCommand("Gavel: Fork Team");
      await editor.notification("The chat shows a fork of Desk").waitFor();
      await editor.runCommand("Gavel: Drop Partial Message");
      assert.match(await editor.dialog.text(), /Drop the partial message of author\?word1 word2/);
      await editor.dialog.choose("Drop Message");
      const gone = (await chair.chat()).getByText("AND NO MORE");
      await gone.waitFor({ state: "detached" });
      assert.equal(await quickInput.offersCommand("Gavel: Drop Partial Message"), false);

      await editor.runCommand("Notifications: Show Notifications");
      const told = editor.page.locator(".notifications-center .notification-list-item", { hasText: "a fork of Desk" });
      await told.getByRole("button", { name: "Back to the First One" }).click();
      await chair.sees(/word3.* AND NO MORE/s);
    });

    await step("10 the team's state is a document to read", async () => {
      await editor.runCommand("Gavel: Inspect Team");
      await editor.page.getByRole("tab", { name: "Desk (state).md" }).waitFor();
      const lines = editor.page.locator(".editor-instance .view-lines").first();
      await lines.filter({ hasText: /Speakers/ }).waitFor();
      await lines.filter({ hasText: /tester/ }).waitFor();
    });
  });
});

test("before a file is edited the user can see the diff, and is asked again after it", async (context) => {
  const workspace = await folderWithTeam(context, "edit.team.yaml", EDITORS);
  await writeFile(join(workspace, "notes.txt"), "first\nsecond\n");
  await withEditor("diff", { workspace }, async (editor) => {
    const chair = new Chair(editor);
    await chair.openTeam("edit.team.yaml", "Editors");
    await chair.run("Go");
    await editor.notification("ed asks to use editFile").getByRole("button", { name: "Review…" }).click();
    await editor.dialog.choose("Show Diff");
    const diff = editor.page.locator(".monaco-diff-editor");
    await diff
      .locator(".original .view-lines")
      .filter({ hasText: /second/ })
      .waitFor();
    await diff
      .locator(".modified .view-lines")
      .filter({ hasText: /changed/ })
      .waitFor();
    assert.equal(await readFile(join(editor.workspace, "notes.txt"), "utf8"), "first\nsecond\n");

    await editor.notification("What it would change is open").getByRole("button", { name: "Decide…" }).click();
    await editor.dialog.choose("Run It");
    await chair.sees("That is edited.");
    assert.equal(await readFile(join(editor.workspace, "notes.txt"), "utf8"), "first\nchanged\n");
  });
});

const reading = `
name: Reader
kind: roundRobin
participants:
  - { name: ann }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 4
    lines:
      ann: ["One line.\\nAnother line. ${Array.from({ length: 400 }, () => "more").join(" ")}"]
`;

test("what was cut short in several lines is edited in an editor, which is there again after a reload", async (context) => {
  const workspace = await folderWithTeam(context, "read.team.yaml", reading);
  await withEditor("partial", { workspace }, async (editor) => {
    const chair = new Chair(editor);
    const tab = editor.page.getByRole("tab", { name: "ann, cut short.md" });
    const lines = editor.page.locator(".editor-instance .view-lines").first();
    await chair.openTeam("read.team.yaml", "Reader");
    await chair.run("Read");
    await chair.sees("Another line.");
    await editor.press("Control+Shift+Backspace");
    await chair.atRest("Reader");

    await editor.runCommand("Gavel: Edit Partial Message…");
    await tab.waitFor();
    await lines.filter({ hasText: /One.line/ }).waitFor();
    await editor.press("Control+Home");
    await editor.page.keyboard.type("Mended: ");
    await editor.runCommand("File: Save");
    await chair.sees("Mended: One line.");

    await editor.reload();
    await lines.filter({ hasText: /Mended:.One.line/ }).waitFor();
    await chair.sees("Mended: One line.");
    await chair.atRest("Reader");
    await editor.runCommand("Gavel: Drop Partial Message");
    await editor.dialog.choose("Drop Message");
    await editor.notification("Shall Reader go on?").getByRole("button", { name: "Continue" }).click();
    await chair.atWork("Reader");
    await editor.press("Control+Shift+Backspace");
    await chair.atRest("Reader");
  });
});
