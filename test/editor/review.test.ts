import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import { GavelDriver } from "./gavel-driver.ts";
import type { Editor } from "./harness/editor.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { killHost, nextHost } from "./host-process.ts";
import { stepsOf } from "./steps.ts";

const workspace = join(root, "media", "samples", "workspace");
const TASK = "Does this program keep its promise?";

test("a user runs the sample team from start to verdict, through a reload and a crash of the host", async (context) => {
  await withEditor("review", { workspace, separate: true }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "review");

    await step("1 the walkthrough and the sample open", async () => {
      await openWalkthrough(editor);
      assert.deepEqual(await completedSteps(editor), []);
      await gavel.openTeam("review.team.yaml", "Review");
      assert.equal(await editor.quickInput.offersCommand("Gavel: Interrupt"), false);
    });

    await step("2 a run streams", async () => {
      await gavel.run(TASK);
      await gavel.sees("This is Tab");
    });

    await step("3 the key interrupts in mid-stream while the chat has the focus, and the text is kept", async () => {
      await gavel.focusComposer();
      await editor.press("Shift+Escape");
      await gavel.untilStopped("Review");
      await gavel.sees("You interrupted author");
      const said = await gavel.lastRow("message");
      assert.match(said, /This is Tab/);
      assert.match(said, /Interrupted here/);
      assert.doesNotMatch(said, /I believe that it always does/);
    });

    await step("4 the list describes each participant", async () => {
      await editor.press("Control+K");
      await editor.press("Control+Shift+M");
      await editor.quickInput.opened("Message a Participant");
      const people = await editor.quickInput.items();
      assert.deepEqual(
        people.map(({ label }) => label),
        ["Whole team", "author", "reviewer", "tester"],
      );
      assert.match(people[1]?.description ?? "", /Explains the program/);
      assert.match(people[1]?.detail ?? "", /idle · This is Tab/);
    });

    await step("5 only the reviewer replies", async () => {
      await editor.quickInput.choose("reviewer");
      await editor.quickInput.opened("Message reviewer");
      await editor.quickInput.type("Where is the fault?");
      await editor.quickInput.accept();
      await gavel.sees("rounds each share on line 8");
      await gavel.untilStopped("Review");
      assert.match(await gavel.lastRow("runEnd"), /Your message was answered/);
    });

    await step("6 the run continues until a command needs a decision", async () => {
      await editor.runCommand("Gavel: Continue");
      await (await gavel.chat()).getByText("wants to run a command").waitFor({ timeout: 120_000 });
      assert.equal(await editor.notification("tester wants to use runCommand").count(), 0);
    });

    await step("7 the card shows exactly what will run, and keys give it the focus", async () => {
      await editor.press("Control+K");
      await editor.press("Control+Shift+A");
      const frame = await gavel.chat();
      await gavel.untilFocused('[data-decision="accept"]');
      const text = await frame.locator(".pending").innerText();
      assert.match(text, /tester wants to run a command/);
      assert.ok(text.includes("node --test"));
      assert.ok(text.includes(editor.workspace));
    });

    await step("8 the approved command has run, and the turn continues", async () => {
      await gavel.untilSettled();
      await editor.press("Enter");
      await gavel.sees("If you let it run");
    });

    await step("9 a click on the status bar interrupts", async () => {
      await editor.statusBarItem("Review: tester").click();
      await gavel.untilStopped("Review");
      await gavel.sees("You interrupted tester");
    });

    await step("10 the thread is restored after a reload of the window", async () => {
      await editor.reload();
      await gavel.sees("You interrupted tester");
      await gavel.untilStopped("Review");
      assert.match(await gavel.lastRow("message"), /If you let it run/);
    });

    await step(
      "11 when the host is killed in mid-stream, the partial message is kept and the host is restarted",
      async () => {
        await editor.runCommand("Gavel: Continue");
        await gavel.untilRunning("Review");
        await gavel.seesStreaming();
        const killed = await killHost(editor);
        await nextHost(editor, killed);
        await gavel.sees("Interrupted: the agent host stopped");
        await gavel.untilStopped("Review");
        await gavel.sees("You interrupted tester");
      },
    );

    await step("12 the team continues to its verdict, and no row appears twice", async () => {
      await editor.runCommand("Gavel: Continue");
      await gavel.sees("APPROVED");
      await gavel.untilStopped("Review");
      const rows = await gavel.rows();
      const keys = await rows.evaluateAll((articles) => articles.map((article) => article.getAttribute("data-key")));
      assert.equal(new Set(keys).size, keys.length);
    });

    await step("13 the walkthrough's steps are completed by what the user did, with keys alone", async () => {
      await openWalkthrough(editor);
      assert.deepEqual(await completedSteps(editor), ["sample", "interrupt", "message", "approve"]);
    });

    assert.deepEqual(
      editor.consoleErrors.filter((line) => line.includes("Content Security Policy")),
      [],
    );
  });
});

async function openWalkthrough(editor: Editor): Promise<void> {
  await editor.runCommand("Welcome: Open Walkthrough...");
  await editor.quickInput.choose("Get Started with Gavel");
  await editor.page.locator('[data-done-step-id$="#model"]').first().waitFor();
}

/** The steps of the open walkthrough that have a check mark. */
const completedSteps = ({ page }: Editor): Promise<readonly string[]> =>
  page
    .locator('[data-done-step-id][aria-checked="true"]')
    .evaluateAll((marks) => [
      ...new Set(marks.map((mark) => mark.getAttribute("data-done-step-id")?.split("#").at(-1) ?? "")),
    ]);
