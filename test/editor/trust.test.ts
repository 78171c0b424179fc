import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";

const workspace = join(root, "media", "samples", "workspace");

test("a team runs only once the workspace is trusted", async (context) => {
  await withEditor("trust", { workspace, untrusted: true }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "trust");

    await step("1 a team can be read but not run", async () => {
      await editor.dialog.choose("No, I don't trust the authors");
      await gavel.openTeam("review.team.yaml", "Review");
      await gavel.sees("Restricted Mode");
      assert.equal(await editor.quickInput.offersCommand("Gavel: Run Team…"), false);
      assert.equal(await editor.quickInput.offersCommand("Gavel: Message a Participant…"), false);
    });

    await step("2 the page opens the trust settings, and follows them", async () => {
      await gavel.click("Manage Trust");
      await editor.page.getByRole("button", { name: "Trust", exact: true }).first().click();
      await gavel.sees("Enter a task below to start");
      await gavel.run("Does this program keep its promise?");
      await gavel.sees("This is Tab");
    });
  });
});
