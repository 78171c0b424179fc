import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withEditor } from "./harness/launch-editor.ts";

test("VS Code opens a folder, runs a command from the palette with the keyboard, and comes back after a reload", async (context) => {
  const workspace = await mkdtemp(join(tmpdir(), "gavel-smoke-"));
  context.after(() => rm(workspace, { recursive: true }));
  await writeFile(join(workspace, "minutes.md"), "# Minutes\n");
  await withEditor("smoke", { vsix: null, workspace }, async (editor) => {
    await editor.page.getByRole("treeitem", { name: "minutes.md" }).waitFor();
    assert.equal(await editor.quickInput.offersCommand("Gavel: No Such Command"), false);
    await editor.runCommand("View: Toggle Terminal");
    await editor.page.locator(".terminal-wrapper").waitFor();
    await editor.runCommand("Preferences: Open User Settings (JSON)");
    await editor.page.getByRole("tab", { name: "settings.json" }).waitFor();
    await editor.screenshot("smoke");
    await editor.reload();
    await editor.page.getByRole("tab", { name: "settings.json" }).waitFor();
  });
});
