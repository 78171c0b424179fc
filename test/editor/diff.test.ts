import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { EDITORS } from "./editors-team.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { folderWithTeam } from "./team-folder.ts";

test("the user can see the diff before a file is edited, and is asked again after it", async (context) => {
  const workspace = await folderWithTeam(context, "edit.team.yaml", EDITORS);
  await writeFile(join(workspace, "notes.txt"), "first\nsecond\n");
  await withEditor("diff", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    await gavel.openTeam("edit.team.yaml", "Editors");
    await gavel.run("Go");
    await editor.notification("ed wants to use editFile").getByRole("button", { name: "Review…" }).click();
    await editor.dialog.choose("Show Diff");
    const diff = editor.page.locator(".monaco-diff-editor");
    await diff
      .locator(".original .view-lines")
      .filter({ hasText: /second/ })
      .waitFor();
    await diff
      .locator(".modified .view-lines")
      .filter({ hasText: /changed/ })
      .waitFor();
    assert.equal(await readFile(join(editor.workspace, "notes.txt"), "utf8"), "first\nsecond\n");

    await editor.notification("The diff is open in an editor").getByRole("button", { name: "Decide…" }).click();
    await editor.dialog.choose("Allow Once");
    await gavel.sees("That is edited.");
    assert.equal(await readFile(join(editor.workspace, "notes.txt"), "utf8"), "first\nchanged\n");
  });
});
