import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { KeyboardUser } from "./keyboard-user.ts";
import { chooseWorkspaceAndPracticeModel, nameAuthorAndReviewer } from "./new-team-questions.ts";
import { stepsOf } from "./steps.ts";

test("without a mouse: a sample runs and its command is approved on the card, and a new team is made", async (context) => {
  await withEditor("keyboard-start", {}, async (editor) => {
    const gavel = new GavelDriver(editor);
    const user = new KeyboardUser(editor, gavel);
    const step = stepsOf(context, editor, "keyboard-start");
    const { page, quickInput } = editor;

    await step("1 a sample opens from the palette, with its task in the chat box, and Enter runs it", async () => {
      await editor.runCommand("Gavel: Try a Sample…");
      await quickInput.opened("Try a Sample");
      await quickInput.choose("Review");
      await (await gavel.chat()).getByRole("heading", { name: "Review" }).waitFor();
      await user.watchPointer();
      await gavel.untilFocused(".composer-text");
      await editor.press("Enter");
      await gavel.seesStreaming();
    });

    await step("2 its command is accepted on the card, to which Shift+Tab leads", async () => {
      await (await gavel.chat()).locator(".pending").getByText("wants to run a command").waitFor();
      await gavel.untilSettled();
      await user.focusChat();
      await gavel.pressUntilFocused("Shift+Tab", '.pending [data-decision="accept"]');
      await editor.press("Enter");
      await gavel.sees("If you let it run");
      await gavel.sees(/^Finished: reviewer said APPROVED/);
      assert.equal(await user.clicks(), 0, "no pointer was used");
    });

    await step("3 a new team is made by questions, and takes its first task", async () => {
      await editor.runCommand("Gavel: New Team…");
      await quickInput.opened("New Team");
      await quickInput.choose("Author and Reviewer");
      await nameAuthorAndReviewer(editor, "writer, critic");
      await chooseWorkspaceAndPracticeModel(editor);
      await (await gavel.chat()).getByRole("heading", { name: "Author and Reviewer" }).waitFor();
      await page.getByRole("tab", { name: "author-and-reviewer.team.yaml" }).waitFor();
      await user.focusChat();
      await page.keyboard.type("Write a haiku");
      await editor.press("Enter");
      await gavel.sees(/^Finished: critic said APPROVED/);
      assert.equal(await user.clicks(), 0, "no pointer was used");
    });
  });
});
