import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import { Chair } from "./chair.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";

const workspace = join(root, "media", "samples", "workspace");

test("in a workspace that is not trusted nothing runs, and once it is trusted the team does", async (context) => {
  await withEditor("trust", { workspace, untrusted: true }, async (editor) => {
    const chair = new Chair(editor);
    const step = stepsOf(context, editor, "trust");

    await step("1 a team can be read, and not be run", async () => {
      await editor.dialog.choose("No, I don't trust the authors");
      await chair.openTeam("review.team.yaml", "Review");
      await chair.sees("This workspace is not trusted");
      assert.equal(await editor.quickInput.offersCommand("Gavel: Run Team…"), false);
      assert.equal(await editor.quickInput.offersCommand("Gavel: Message a Participant…"), false);
    });

    await step("2 the page leads to where trust is given, and takes it in", async () => {
      await chair.click("Manage trust");
      await editor.page.getByRole("button", { name: "Trust", exact: true }).first().click();
      await chair.sees("Give it a task below to begin");
      await chair.run("Does this program keep its promise?");
      await chair.sees("This is Tab");
    });
  });
});
