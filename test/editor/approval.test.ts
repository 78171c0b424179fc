import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** A command that looks like another one: an override reverses its end, and a second line hides below. */
const HOSTILE = "echo safe \\u202Eexe.tset\\nrm -rf .";

const team = `
name: Trap
kind: roundRobin
participants:
  - { name: eve, tools: [runCommand] }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      eve:
        - calls: [{ tool: runCommand, input: { command: "${HOSTILE}" } }]
        - Then not.
`;

test("the approval dialog shows a command with nothing hidden, and a denial reaches the participant with its reason", async (context) => {
  const workspace = await folderWithTeam(context, "trap.team.yaml", team);
  await withEditor("approval", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "approval");

    await step("1 invisible characters of a command are written out", async () => {
      await gavel.openTeam("trap.team.yaml", "Trap");
      await gavel.run("Go");
      await gavel.click("Approve");
      const text = await editor.dialog.text();
      assert.match(text, /echo safe ⟨U\+202E⟩exe\.tset⟨newline⟩\s*rm -rf \./);
      assert.match(text, /Invisible characters are written as ⟨ ⟩/);
    });

    await step("2 it is denied with a reason", async () => {
      await editor.dialog.choose("Deny…");
      await editor.quickInput.opened("Deny runCommand");
      await editor.quickInput.type("That deletes the folder.");
      await editor.quickInput.accept();
      await gavel.sees("Then not.");
      await gavel.untilStopped("Trap");
      assert.equal(await editor.quickInput.offersCommand("Gavel: Approve Tool Call…"), false);
    });
  });
});
