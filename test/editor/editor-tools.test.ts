import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../scripts/root.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { until } from "./harness/until.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

/** A team that uses what the editor knows of two files in a language of another extension. */
const TEAM = `
name: Knowing
kind: roundRobin
participants:
  - name: ann
    tools: [problems, symbols, references, definition, rename, editFile]
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      ann:
        - calls: [{ tool: problems, input: { path: use.acme } }]
        - calls: [{ tool: symbols, input: { path: words.acme } }]
        - calls: [{ tool: symbols, input: { name: app } }]
        - calls: [{ tool: references, input: { path: use.acme, symbol: apple, line: 1 } }]
        - calls: [{ tool: definition, input: { path: use.acme, symbol: apple } }]
        - calls: [{ tool: editFile, input: { path: use.acme, old: plum, new: pear } }]
        - calls: [{ tool: problems, input: { path: use.acme } }]
        - Looked at all of it.
        - calls: [{ tool: rename, input: { path: use.acme, symbol: apple, line: 1, newName: Kiwi } }]
        - calls: [{ tool: rename, input: { path: use.acme, symbol: apple, line: 1, newName: kiwi } }]
        - Renamed it.
`;

const extension = join(root, "test", "fixtures", "tool-provider");

test("participants use what the editor knows", async (context) => {
  const folder = await folderWithTeam(context, "knowing.team.yaml", TEAM);
  await writeFile(join(folder, "words.acme"), "def apple\ndef pear\n");
  await writeFile(join(folder, "use.acme"), "pear apple\nplum\n");
  await withEditor("editor-tools", { workspace: folder, extension }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "editor-tools");
    const { workspace } = editor;
    const file = (name: string) => readFile(join(workspace, name), "utf8");

    await step(
      "1 a participant reads problems, symbols and references, and problems again after its edit",
      async () => {
        await gavel.openTeam("knowing.team.yaml", "Knowing");
        await gavel.run("Look");
        await gavel.untilSettled();
        await gavel.decide("accept");
        await gavel.sees("Looked at all of it.");
        await until("the file is changed", async () =>
          (await file("use.acme")) === "pear apple\npear\n" ? true : undefined,
        );
      },
    );

    await step("2 what the tools gave is in the chat", async () => {
      const chat = await gavel.chat();
      for (const head of await chat.locator(".tool-call .collapsible-header").all()) await head.click();
      const outputs = [
        'use.acme:2:1: error: "plum" is not defined. (acme)',
        "function apple: line 1",
        "words.acme:1: function apple",
        "words.acme:1: def apple",
      ];
      for (const output of outputs) await gavel.sees(output);
    });

    await step("3 a rename asks with the changes of all files, and one click makes them", async () => {
      await gavel.run("Rename");
      await gavel.sees("wants to edit 2 files");
      await gavel.untilSettled();
      await editor.screenshot("editor-tools-rename-card");
      await gavel.click("Open Diffs");
      const tab = editor.page.getByRole("tab", { name: "rename (Proposed Changes)" });
      await tab.waitFor();
      await editor.screenshot("editor-tools-rename-diffs");
      await gavel.decide("accept");
      await gavel.sees("Renamed it.");
      await tab.waitFor({ state: "detached" });
      assert.equal(await file("words.acme"), "def kiwi\ndef pear\n");
      assert.equal(await file("use.acme"), "pear kiwi\npear\n");
    });

    await step("4 it is one step to undo", async () => {
      await editor.runCommand("Gavel: Undo Last Turn's Edits…");
      await editor.dialog.choose("Undo Edits");
      await until("both files are as they were", async () =>
        (await file("words.acme")) === "def apple\ndef pear\n" && (await file("use.acme")) === "pear apple\npear\n"
          ? true
          : undefined,
      );
    });
  });
});
