import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { folderWithTeam } from "./team-folder.ts";

const reading = `
name: Reader
kind: roundRobin
participants:
  - { name: ann }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 4
    lines:
      ann: ["One line.\\nAnother line. ${Array.from({ length: 400 }, () => "more").join(" ")}"]
`;

test("a partial message of several lines is edited in an editor, which is restored after a reload", async (context) => {
  const workspace = await folderWithTeam(context, "read.team.yaml", reading);
  await withEditor("partial", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const tab = editor.page.getByRole("tab", { name: "Partial message of ann.md" });
    const lines = editor.page.locator(".editor-instance .view-lines").first();
    await gavel.openTeam("read.team.yaml", "Reader");
    await gavel.run("Read");
    await gavel.sees("Another line.");
    await editor.press("Shift+Escape");
    await gavel.untilStopped("Reader");

    await editor.runCommand("Gavel: Edit Partial Message…");
    await tab.waitFor();
    await lines.filter({ hasText: /One.line/ }).waitFor();
    await editor.press("Control+Home");
    await editor.page.keyboard.type("Edited: ");
    await editor.runCommand("File: Save");
    await gavel.sees("Edited: One line.");

    await editor.reload();
    await lines.filter({ hasText: /Edited:.One.line/ }).waitFor();
    await gavel.sees("Edited: One line.");
    await gavel.untilStopped("Reader");
    await editor.runCommand("Gavel: Drop Partial Message");
    await editor.dialog.choose("Drop Message");
    await editor.notification("Do you want to continue Reader?").getByRole("button", { name: "Continue" }).click();
    await gavel.untilRunning("Reader");
    await editor.press("Shift+Escape");
    await gavel.untilStopped("Reader");
  });
});
