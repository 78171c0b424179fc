import assert from "node:assert/strict";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const counting = `
name: Counter
kind: roundRobin
participants: [{ name: ann }]
models:
  default:
    provider: practice
    pace: 4
    lines:
      ann: ["${Array.from({ length: 4000 }, (_, index) => `word${index + 1}`).join(" ")}"]
`;

const KEY = "Shift+Escape";

test("the interrupt key works in the composer, an editor and a terminal, and edits nothing in any of them", async (context) => {
  const workspace = await folderWithTeam(context, "count.team.yaml", counting);
  await withEditor("interrupt-key", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "interrupt-key");
    await gavel.openTeam("count.team.yaml", "Counter");

    await step("1 in the composer: the draft stays as it is", async () => {
      await gavel.run("Count");
      await gavel.seesStreaming();
      await gavel.focusComposer();
      await editor.page.keyboard.type("a draft of four words");
      await editor.press(KEY);
      await gavel.untilStopped("Counter");
      const composer = (await gavel.chat()).locator(".composer-text");
      assert.equal(await composer.inputValue(), "a draft of four words");
      await composer.fill("");
    });

    await step("2 in an editor: the file is not changed", async () => {
      await editor.runCommand("File: New Untitled Text File");
      await editor.page.getByRole("tab", { name: /Untitled-1/ }).waitFor();
      await editor.page.keyboard.type("one two");
      const lines = editor.page.locator(".editor-instance .view-lines").first();
      await lines.filter({ hasText: /one.two/ }).waitFor();
      await editor.runCommand("Gavel: Continue");
      await gavel.untilRunning("Counter");
      await lines.click();
      await editor.press(KEY);
      await gavel.untilStopped("Counter");
      assert.match((await lines.textContent()) ?? "", /^one.two$/);
    });

    await step("3 in a terminal: the shell gets nothing of it", async () => {
      await editor.runCommand("Gavel: Continue");
      await gavel.untilRunning("Counter");
      await editor.runCommand("Terminal: Create New Terminal");
      await until("the terminal has the focus", async () =>
        (await editor.page.evaluate(() => document.activeElement?.classList.contains("xterm-helper-textarea")))
          ? true
          : undefined,
      );
      await editor.press(KEY);
      await gavel.untilStopped("Counter");
    });
  });
});
