import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";

const extension = join(root, "test", "fixtures", "model-provider");

test("a user makes a team by questions and from a task, checks the setup, and follows the walkthrough", async (context) => {
  await withEditor("new-team", { extension }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const { quickInput, page } = editor;
    const step = stepsOf(context, editor, "new-team");
    await page.getByRole("tab", { name: "Gavel" }).waitFor();

    await step("1 questions with a way back make a team that is open and ready", async () => {
      await editor.runCommand("Gavel: New Team…");
      await quickInput.opened("New Team");
      await quickInput.choose("Everyone in Turn");
      await quickInput.opened("New Team: Everyone in Turn");
      await page.locator(".quick-input-widget").getByRole("button", { name: "Back" }).click();
      await quickInput.opened("New Team");
      await quickInput.choose("Author and Reviewer");
      await quickInput.opened("New Team: Author and Reviewer");
      await quickInput.type("writer, critic");
      await quickInput.accept();
      await page.locator(".quick-input-widget").getByText("Read files").waitFor();
      await quickInput.accept();
      await page.locator(".quick-input-widget").getByText("Your Teams").waitFor();
      await quickInput.choose("This Workspace");
      await (await gavel.chat()).getByRole("heading", { name: "Author and Reviewer" }).waitFor();
      await page.getByRole("tab", { name: "author-and-reviewer.team.yaml" }).waitFor();
      assert.ok(existsSync(join(editor.workspace, "author-and-reviewer.team.yaml")));
      await (await gavel.chat()).locator(".empty-name", { hasText: "critic" }).waitFor();
    });

    await step("2 a draft of the model is shown with its problems, and nothing is written", async () => {
      await editor.runCommand("Gavel: New Team…");
      await quickInput.opened("New Team");
      await quickInput.choose("From a Task…");
      await quickInput.opened("New Team from a Task");
      await quickInput.type("write release notes");
      await quickInput.accept();
      await page.locator(".quick-input-widget").getByText("Your Teams").waitFor();
      await quickInput.choose("This Workspace");
      // The model of this test repeats what it was told, which is no team.
      await editor.notification("which the editor marks").waitFor();
      await page.getByRole("tab", { name: "team.team.yaml" }).waitFor();
      await page.locator(".monaco-editor .squiggly-error").first().waitFor();
      assert.equal(existsSync(join(editor.workspace, "team.team.yaml")), false);
    });

    await step("3 the setup is checked, and what works says so", async () => {
      await editor.runCommand("Gavel: Check Setup");
      await quickInput.opened("Check Setup");
      await page.locator(".quick-input-widget").getByText("The model answers.").waitFor();
      assert.deepEqual(
        (await quickInput.items()).map(({ label }) => label),
        ["Workspace trust", "Agent host", "Storage", "Default model", "Check Again", "Show Log"],
      );
      await editor.screenshot("check-setup");
      await editor.press("Escape");
    });

    await step("4 the walkthrough has its five steps", async () => {
      await editor.runCommand("Welcome: Open Walkthrough...");
      await quickInput.choose("Get Started with Gavel");
      for (const name of ["Run a sample team", "Interrupt, and continue", "Message one participant", "Connect a model"])
        await page.getByText(name).first().waitFor();
    });
  });
});
