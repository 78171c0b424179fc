import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** It ends only when the test interrupts it. */
const COMMAND = "sleep 600";

const team = `
name: Work
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
        - calls: [{ tool: runCommand, input: { command: ${COMMAND} } }]
        - calls: [{ tool: runCommand, input: { command: ${COMMAND} } }]
        - The work was cut short.
        - "${Array.from({ length: 400 }, (_, index) => `word${index + 1}`).join(" ")}"
    asked:
      tester: [Brief it is., That was one thing.]
`;

test("a user chooses what to interrupt and when a message is delivered, and edits waiting and partial messages", async (context) => {
  const workspace = await folderWithTeam(context, "work.team.yaml", team);
  await withEditor("interrupts", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput } = editor;
    const step = stepsOf(context, editor, "interrupts");
    const rows = async () => (await quickInput.items()).map(({ label, description }) => `${label}: ${description}`);
    const showsRows = (wanted: readonly string[]) =>
      until(`the list shows ${wanted.join(" | ")}`, async () =>
        JSON.stringify(await rows()) === JSON.stringify(wanted) ? true : undefined,
      );
    const letItRun = async () => {
      await gavel.decide("accept");
      await editor.statusBarItem("Work: author, calling runCommand").waitFor();
    };
    const message = async (text: string) => {
      await editor.runCommand("Gavel: Message a Participant…");
      await quickInput.opened("Message a Participant");
      await quickInput.choose("tester");
      await quickInput.opened("What should tester know");
      await quickInput.type(text);
      await quickInput.accept();
      await quickInput.opened("Select when to deliver the message to tester");
    };

    await step("1 an idle team has nothing to interrupt, and no waiting messages", async () => {
      await gavel.openTeam("work.team.yaml", "Work");
      assert.equal(await quickInput.offersCommand("Gavel: Interrupt…"), false);
      assert.equal(await quickInput.offersCommand("Gavel: Waiting Messages…"), false);
    });

    await step(
      "2 the list names the team, the active participant, and the tool with its possible effects",
      async () => {
        await gavel.run("Go");
        await letItRun();
        await editor.press("Control+K");
        await editor.press("Control+Shift+I");
        await quickInput.opened("Select what to interrupt");
        const items = await quickInput.items();
        assert.deepEqual(
          items.map(({ label }) => label),
          ["Whole team", "author", "runCommand of author"],
        );
        for (const { detail } of items) assert.match(detail, /stops, but may already have had effects/);
      },
    );

    await step("3 the team is paused, and a warning names the tool that may have had effects", async () => {
      await quickInput.choose("Whole team");
      await quickInput.opened("Interrupt Work");
      await quickInput.choose("Pause now");
      await editor.notification("runCommand of author was interrupted, but may already have had effects").waitFor();
      await gavel.untilStopped("Work");
    });

    await step("4 a message can wait for its recipient's next turn, and be shown only to it", async () => {
      await editor.runCommand("Gavel: Continue");
      await letItRun();
      await message("Be brief");
      assert.deepEqual(
        (await quickInput.items()).map(({ label }) => label).filter((label) => label !== ""),
        ["Now: interrupt author", "Steer: at tester's next turn", "Queue: after this run", "Show Only to tester"],
      );
      assert.match((await quickInput.items())[1]?.detail ?? "", /seen by author and tester/);
      await quickInput.choose("Show Only to tester");
      await until("only the tester sees it", async () =>
        /seen by tester$/.test((await quickInput.items())[1]?.detail ?? "") ? true : undefined,
      );
      await quickInput.choose("Steer");
      await quickInput.closed();
    });

    await step("5 what Enter does in the composer is preselected, and all participants see the message", async () => {
      await message("One more thing");
      assert.match((await quickInput.items())[1]?.detail ?? "", /seen by author and tester$/);
      assert.match(await quickInput.focusedLabel(), /^Steer/);
      await quickInput.choose("Queue");
      await quickInput.closed();
      await message("A third");
      assert.match(await quickInput.focusedLabel(), /^Steer/);
      await quickInput.choose("Queue");
      await quickInput.closed();
    });

    await step("6 waiting messages are moved, edited and withdrawn, all from the keyboard", async () => {
      await editor.press("Control+K");
      await editor.press("Control+Shift+Q");
      await quickInput.opened("Waiting Messages");
      await showsRows([
        "tester: at tester's next turn, shown only to tester",
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

    await step(
      "7 one call is interrupted and the turn continues; then each message is delivered at its time",
      async () => {
        await editor.runCommand("Gavel: Interrupt…");
        await quickInput.opened("Select what to interrupt");
        await quickInput.choose("runCommand of author");
        await gavel.sees("The work was cut short.");
        await gavel.sees("Be brief, please");
        await gavel.sees("Brief it is.");
        await gavel.sees("That was one thing.");
        await gavel.untilStopped("Work");
      },
    );

    await step("8 one participant is paused in mid-sentence, and its partial message is edited", async () => {
      await gavel.run("Count");
      await gavel.sees("word3");
      await editor.runCommand("Gavel: Interrupt…");
      await quickInput.opened("Select what to interrupt");
      assert.match((await quickInput.items())[1]?.detail ?? "", /^author: \d+ words so far$/);
      await quickInput.choose("author");
      await quickInput.opened("Interrupt author");
      await quickInput.choose("Pause now");
      await gavel.untilStopped("Work");
      await editor.runCommand("Gavel: Edit Partial Message…");
      await quickInput.opened("Partial message of author");
      await quickInput.type(" AND NO MORE");
      await quickInput.accept();
      await editor.notification("Do you want to continue Work?").waitFor();
      await gavel.sees(/word3.* AND NO MORE/s);
    });

    await step("9 a fork has its own thread: the partial message is dropped in only one of the two", async () => {
      await editor.runCommand("Gavel: Fork Team");
      await editor.notification("You are now in a fork of Work").waitFor();
      await editor.runCommand("Gavel: Drop Partial Message");
      assert.match(await editor.dialog.text(), /Drop the partial message of author\?word1 word2/);
      await editor.dialog.choose("Drop Message");
      const gone = (await gavel.chat()).getByText("AND NO MORE");
      await gone.waitFor({ state: "detached" });
      assert.equal(await quickInput.offersCommand("Gavel: Drop Partial Message"), false);

      await editor.runCommand("Notifications: Show Notifications");
      const notification = editor.page.locator(".notifications-center .notification-list-item", {
        hasText: "a fork of Work",
      });
      await notification.getByRole("button", { name: "Back to Original" }).click();
      await gavel.sees(/word3.* AND NO MORE/s);
    });

    await step("10 the team's state opens as a document", async () => {
      await editor.runCommand("Gavel: Inspect Team");
      await editor.page.getByRole("tab", { name: "Work (state).md" }).waitFor();
      const lines = editor.page.locator(".editor-instance .view-lines").first();
      await lines.filter({ hasText: /Speakers/ }).waitFor();
      await lines.filter({ hasText: /tester/ }).waitFor();
    });
  });
});
