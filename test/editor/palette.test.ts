import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** It ends only when the test interrupts it. */
const ENDLESS = "sleep 600";

const call = (command: string): string => `        - calls: [{ tool: runCommand, input: { command: "${command}" } }]`;

const team = `
name: Release
kind: roundRobin
participants:
  - { name: ann, tools: [runCommand] }
  - { name: bob, tools: [runCommand] }
maxTurns: 2
models:
  default:
    provider: practice
    pace: 0
    lines:
      ann:
${call(ENDLESS)}
        - The tests were cut short.
${call("echo ruled > ruled.txt")}
        - A rule is written.
      bob:
${call("npm publish")}
        - It is published.
${call(ENDLESS)}
        - That was enough.
`;

test("a team is led from the palette: stopped after a turn, answered, its reasoning interrupted, its rules and keys removed", async (context) => {
  const workspace = await folderWithTeam(context, "release.team.yaml", team);
  await withEditor("palette", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput } = editor;
    const step = stepsOf(context, editor, "palette");
    /** Waits until a card shows this command. */
    const asks = async (command: string) =>
      (await gavel.chat()).locator(".pending").filter({ hasText: command }).waitFor();

    const approve = async (command: string, participant: string) => {
      await asks(command);
      await gavel.decide("accept");
      await editor.statusBarItem(`Release: ${participant}, calling runCommand`).waitFor();
    };

    await step("1 a run that is to stop after this turn lets the turn finish, and no one else speaks", async () => {
      await gavel.openTeam("release.team.yaml", "Release");
      await gavel.run("Release it");
      await approve(ENDLESS, "ann");
      await editor.runCommand("Gavel: Stop After This Turn");
      await editor.runCommand("Gavel: Interrupt…");
      await quickInput.opened("Select what to interrupt");
      await quickInput.choose("runCommand of ann");
      await gavel.sees("The tests were cut short.");
      await gavel.untilStopped("Release");
      assert.match(await gavel.lastRow("runEnd"), /stopped/i);
      assert.equal(await quickInput.offersCommand("Gavel: Stop After This Turn"), false);
    });

    await step("2 a call is answered in place of the tool, which does not run", async () => {
      await editor.runCommand("Gavel: Continue");
      await asks("npm publish");
      await editor.runCommand("Gavel: Answer Tool Call…");
      await quickInput.opened("Answer runCommand");
      await quickInput.type("Version 2 is published.");
      await quickInput.accept();
      await gavel.sees("It is published.");
      await (await gavel.chat()).getByText("Answered by you").waitFor();
    });

    await step("3 a rule that a card has added is listed whole, and removed", async () => {
      await asks("echo ruled");
      await (await gavel.chat()).getByRole("button", { name: "Allow Without Asking…" }).click();
      await (await gavel.chat()).getByRole("menuitemradio", { name: "Always" }).click();
      await (await gavel.chat()).getByRole("menuitem").first().click();
      await gavel.sees("A rule is written.");
      assert.equal(await readFile(join(editor.workspace, "ruled.txt"), "utf8"), "ruled\n");
      await editor.runCommand("Gavel: Approval Rules");
      await quickInput.opened("Select a rule");
      const [rule] = await quickInput.items();
      assert.match(rule?.detail ?? "", /echo ruled > ruled\.txt/);
      await quickInput.accept();
      assert.match(await editor.dialog.text(), /Remove this approval rule\?.*echo ruled > ruled\.txt/);
      await editor.dialog.choose("Remove Rule");
      await quickInput.cancel();
      await editor.runCommand("Gavel: Approval Rules");
      await editor.notification("There are no approval rules").waitFor();
    });

    await step("4 a line of reasoning is interrupted with a reason, and its receipt names it", async () => {
      await gavel.run("Go on");
      await approve(ENDLESS, "bob");
      await editor.runCommand("Gavel: Interrupt Reasoning…");
      await quickInput.opened("Interrupt Reasoning of bob");
      await quickInput.choose("Takes too long");
      await gavel.untilStopped("Release");
      await gavel.sees("You asked bob to stop reasoning: time is up");
      await gavel.sees("bob is stopping");
      assert.match(await gavel.lastRow("interrupt"), /You interrupted bob.*runCommand may have had side effects/s);
    });

    await step("5 a key is stored by name, and removed", async () => {
      await editor.runCommand("Gavel: Set API Key…");
      await quickInput.opened("Select the key to set");
      await quickInput.choose("openai");
      await quickInput.opened('Set API Key "openai"');
      await quickInput.type("not-a-real-key");
      await quickInput.accept();
      await editor.notification('The API key "openai" is set').waitFor();
      await editor.runCommand("Gavel: Forget API Key…");
      await quickInput.opened("Select the key to forget");
      await quickInput.choose("openai");
      await editor.notification('The API key "openai" has been removed').waitFor();
    });

    await step("6 the host is restarted, and the team continues where it was", async () => {
      await editor.runCommand("Gavel: Restart Host");
      await editor.runCommand("Gavel: Continue");
      await gavel.sees("That was enough.");
      await gavel.untilStopped("Release");
    });

    await step("7 the thread is searched from the palette", async () => {
      await editor.runCommand("Gavel: Find in Thread");
      await (await gavel.chat()).getByRole("search", { name: "Find in thread" }).getByRole("textbox").waitFor();
      await editor.page.keyboard.type("cut short");
      await (await gavel.chat()).getByText("1 of 1").waitFor();
    });
  });
});
