import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** It takes minutes to say. */
const LONG = `one two${" more".repeat(400)}`;

const TEAM = `# Two who talk
name: Talk
kind: roundRobin
participants:
  - name: ann # stays
    instructions: You are ann.
  - { name: bob, instructions: You are bob. }
models:
  default: { provider: practice, pace: 2, lines: { ann: [${LONG}, Ann again.], bob: [Bob speaks.] } }
maxTurns: 1
`;

const SOLO = `name: Solo
kind: roundRobin
participants: [{ name: eve }]
models:
  default: { provider: practice, pace: 0, lines: { eve: [Hello., The user said hi., Back again.] } }
maxTurns: 1
`;

test("a user changes who takes part in a paused team and writes it into the team file", async (context) => {
  const workspace = await folderWithTeam(context, "talk.team.yaml", TEAM);
  await writeFile(join(workspace, "solo.team.yaml"), SOLO);
  const agents = join(workspace, ".claude", "agents");
  await mkdir(agents, { recursive: true });
  await writeFile(
    join(agents, "reviewer.md"),
    "---\nname: reviewer\ndescription: Reviews code\ntools: Read, Zap\n---\nYou review.",
  );
  await withEditor("participants", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput, page } = editor;
    const step = stepsOf(context, editor, "participants");
    const written = () => readFile(join(editor.workspace, "talk.team.yaml"), "utf8");
    await gavel.openTeam("talk.team.yaml", "Talk");

    await step("1 a running team says to interrupt it first", async () => {
      await gavel.run("Go");
      await gavel.seesStreaming();
      await editor.runCommand("Gavel: Add Participant…");
      await gavel.sees("The team is running. Interrupt first, then change its participants.");
      await editor.runCommand("Gavel: Interrupt");
      await gavel.untilStopped("Talk");
    });

    await step("2 an agent of the workspace is added by keyboard; a row says who did it", async () => {
      await editor.runCommand("Gavel: Add Participant…");
      await quickInput.opened("Add Participant");
      const rows = await quickInput.items();
      assert.partialDeepStrictEqual(
        rows.find(({ label }) => label.includes("reviewer")),
        { description: ".claude/agents/reviewer.md · 1 part not taken over", detail: "Reviews code" },
      );
      await editor.screenshot("participants-add");
      await quickInput.choose("reviewer");
      await gavel.sees("You added reviewer");
    });

    await step("3 one is replaced by a few words, under a name of its own", async () => {
      await editor.runCommand("Gavel: Replace Participant…");
      await quickInput.opened("Replace Participant");
      await quickInput.choose("bob");
      await quickInput.opened("Replace bob");
      await quickInput.choose("New Assistant…");
      await quickInput.opened("Replace bob");
      await quickInput.type("carl");
      await quickInput.accept();
      await quickInput.opened("Replace bob: carl");
      await quickInput.type("You are carl.");
      await quickInput.accept();
      await quickInput.opened("Under which name");
      await editor.screenshot("participants-name");
      await quickInput.choose("carl");
      await gavel.sees("You replaced bob with carl");
    });

    await step("4 one is removed, and what it said stays", async () => {
      await editor.runCommand("Gavel: Remove Participant…");
      await quickInput.opened("Remove Participant");
      await quickInput.choose("ann");
      await gavel.sees("You removed ann");
      await gavel.sees(/one two/);
      assert.equal(await (await gavel.chat()).getByText("You", { exact: true }).count(), 1);
    });

    await step("5 the change is shown as a diff, and written with what else the file says", async () => {
      const offer = editor.notification("The participants of this thread have changed").last();
      await offer.getByRole("button", { name: "Show Changes to Team File" }).click();
      await page.locator(".monaco-diff-editor").first().waitFor();
      await editor.screenshot("participants-diff");
      assert.equal(await written(), TEAM);
      await editor
        .notification("Write these changes to talk.team.yaml?")
        .getByRole("button", { name: "Write to Team File" })
        .click();
      await until("the file is written", async () => ((await written()).includes("reviewer.md") ? true : undefined));
      assert.match(
        await written(),
        /^# Two who talk\n(?:.|\n)*participants:\n {2}- name: carl\n(?:.|\n)*- agent: \.claude\/agents\/reviewer\.md\n/,
      );
    });

    await step(
      "6 earlier messages are summarized when the user asks for it, and shown again when the user undoes it",
      async () => {
        await gavel.openTeam("solo.team.yaml", "Solo");
        await gavel.run("Hi");
        await gavel.sees("Hello.");
        await gavel.untilStopped("Solo");
        await editor.runCommand("Gavel: Summarize Context…");
        await gavel.sees("The context of eve will be summarized before its next turn");
        await gavel.run("More");
        await gavel.sees("Back again.");
        await gavel.sees(/The context of eve was summarized: about/);
        await editor.screenshot("participants-summary");
        await gavel.untilStopped("Solo");
        await gavel.click("Undo: show eve the messages themselves");
        await gavel.sees("eve sees the messages again, without a summary");
      },
    );
  });
});
