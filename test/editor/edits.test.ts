import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { EDITORS } from "./editors-team.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

test("a tool edits a file with unsaved changes; the turn's edits are undone and redone", async (context) => {
  const folder = await folderWithTeam(context, "edit.team.yaml", EDITORS);
  await writeFile(join(folder, "notes.txt"), "first\nsecond\n");
  await withEditor("edits", { workspace: folder }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "edits");
    const notes = join(editor.workspace, "notes.txt");
    const lines = editor.page.locator(".editor-instance .view-lines").first();
    const shows = (text: RegExp) => lines.filter({ hasText: text }).waitFor();
    const holds = (text: string) =>
      until(`notes.txt holds ${JSON.stringify(text)}`, async () =>
        (await readFile(notes, "utf8")) === text ? true : undefined,
      );

    await step("1 an edit keeps unsaved changes, which stay unsaved", async () => {
      await gavel.openTeam("edit.team.yaml", "Editors");
      await editor.runCommand("Go to File...");
      await editor.quickInput.type("notes.txt");
      await editor.quickInput.choose("notes.txt");
      await shows(/second/);
      await lines.click();
      await editor.press("Control+Home");
      await editor.page.keyboard.type("typed ");
      await shows(/typed.first/);
      await gavel.run("Go");
      await gavel.decide("accept");
      await gavel.sees("That is edited.");
      await shows(/typed.first.*changed/s);
      assert.equal(await readFile(notes, "utf8"), "first\nsecond\n");
    });

    await step("2 the undo names the file, and restores its unsaved text", async () => {
      await editor.runCommand("File: Save");
      await holds("typed first\nchanged\n");
      await gavel.untilStopped("Editors");
      await editor.runCommand("Gavel: Undo Last Turn's Edits…");
      const text = await editor.dialog.text();
      assert.match(text, /Undo the edits of ed\?/);
      assert.match(text, /notes\.txt was changed and will be restored/);
      await editor.dialog.choose("Undo Edits");
      await holds("typed first\nsecond\n");
      await shows(/typed.first.*second/s);
      await gavel.sees("Undone");
    });

    await step("3 the undo is redone", async () => {
      await editor.notification("1 file was restored").getByText("Redo").click();
      await holds("typed first\nchanged\n");
      await shows(/typed.first.*changed/s);
    });
  });
});
