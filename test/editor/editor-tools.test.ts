import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
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
    tools: [problems, symbols, references, definition, testTasks, rename, editFile, applyPatch]
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
        - calls: [{ tool: testTasks }]
        - calls: [{ tool: editFile, input: { path: use.acme, old: plum, new: pear } }]
        - calls: [{ tool: problems, input: { path: use.acme } }]
        - Looked at all of it.
        - calls: [{ tool: rename, input: { path: use.acme, symbol: apple, line: 1, newName: Kiwi } }]
        - calls: [{ tool: rename, input: { path: use.acme, symbol: apple, line: 1, newName: kiwi } }]
        - Renamed it.
        - calls:
            - tool: applyPatch
              input:
                patch: |
                  *** Begin Patch
                  *** Update File: use.acme
                  @@
                  -pear apple
                  +apple pear
                   pear
                  *** Update File: words.acme
                  *** Move to: lists/words.acme
                  @@
                   def apple
                  +def plum
                  *** Add File: notes.acme
                  +note
                  *** Delete File: spare.acme
                  *** End Patch
        - Patched it.
`;

/** A team that uses the tools that another extension has registered. */
const SHOP = `
name: Shop
kind: roundRobin
participants:
  - name: bob
    tools:
      - vscode/acme_price
      - vscode/acme_parts
      - vscode/acme_throws
      - vscode/acme_huge
      - vscode/acme_slow
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      bob:
        - calls: [{ tool: vscode/acme_price, input: { thing: nail } }]
        - calls: [{ tool: vscode/acme_price, input: { thing: gold } }]
        - calls: [{ tool: vscode/acme_parts }]
        - calls: [{ tool: vscode/acme_throws }]
        - calls: [{ tool: vscode/acme_huge }]
        - Asked for everything.
        - calls: [{ tool: vscode/acme_slow }]
        - Was slow.
`;

const BROKEN = `
name: Broken
kind: roundRobin
participants: [{ name: eve, tools: [vscode/acme_broken] }]
models: { default: { provider: practice } }
`;

const extension = join(root, "test", "fixtures", "tool-provider");

test("participants use what the editor knows", async (context) => {
  const folder = await folderWithTeam(context, "knowing.team.yaml", TEAM);
  await writeFile(join(folder, "shop.team.yaml"), SHOP);
  await mkdir(join(folder, ".vscode"));
  const task = { label: "check all", type: "shell", command: "echo 'all is well' && true", group: "test" };
  await writeFile(join(folder, ".vscode", "tasks.json"), JSON.stringify({ version: "2.0.0", tasks: [task] }));
  await writeFile(join(folder, "broken.team.yaml"), BROKEN);
  await writeFile(join(folder, "words.acme"), "def apple\ndef pear\n");
  await writeFile(join(folder, "use.acme"), "pear apple\nplum\n");
  await writeFile(join(folder, "spare.acme"), "spare\n");
  await withEditor("editor-tools", { workspace: folder, extension }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "editor-tools");
    const { workspace } = editor;
    const file = (name: string) => readFile(join(workspace, name), "utf8");
    /** Expands a call of the last run, whose details have these texts, and collapses it: the page drops what is far away. */
    const gives = async (at: number, texts: readonly string[]): Promise<void> => {
      const head = (await gavel.chat()).locator(".tool-call .collapsible-header").nth(at);
      await head.click();
      for (const text of texts) await gavel.sees(text);
      await head.click();
    };

    await step(
      "1 a participant reads problems, symbols and references, and problems again after its edit",
      async () => {
        await editor.press("Control+P");
        await editor.quickInput.opened();
        await editor.quickInput.type("use.acme");
        await editor.quickInput.choose("use.acme");
        await editor.page.locator(".squiggly-error").first().waitFor();
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
      const outputs = [
        'use.acme:2:1: error: "plum" is not defined. (acme)',
        "function apple: line 1",
        "words.acme:1: function apple",
        "words.acme:1: def apple",
        "words.acme:1: def apple",
        "check all: echo 'all is well' && true (in .)",
      ];
      for (const [at, output] of outputs.entries()) await gives(at, [output]);
    });

    await step("3 a rename asks with the changes of all files, and one click makes them", async () => {
      await gavel.run("Rename");
      await gavel.sees("A name has lower case letters only.");
      await gavel.untilSettled();
      await gavel.decide("reject");
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

    await step(
      "5 a patch asks with what becomes of each file, is made by one key, and is one step to undo",
      async () => {
        const all = ["use.acme", "words.acme", "lists/words.acme", "notes.acme", "spare.acme"];
        const texts = () => Promise.all(all.map((name) => file(name).catch(() => null)));
        const before = ["pear apple\npear\n", "def apple\ndef pear\n", null, null, "spare\n"];
        assert.deepEqual(await texts(), before);
        await gavel.run("Patch");
        await gavel.sees("wants to edit 4 files");
        await gavel.sees("moved to");
        await gavel.untilSettled();
        await editor.screenshot("patch-card");
        await gavel.click("Open Diffs");
        const tab = editor.page.getByRole("tab", { name: "applyPatch (Proposed Changes)" });
        await tab.waitFor();
        await editor.screenshot("patch-diffs");
        await gavel.decide("accept");
        await gavel.sees("Patched it.");
        await tab.waitFor({ state: "detached" });
        assert.deepEqual(await texts(), [
          "apple pear\npear\n",
          null,
          "def apple\ndef plum\ndef pear\n",
          "note\n",
          null,
        ]);
        await editor.runCommand("Gavel: Undo Last Turn's Edits…");
        await editor.dialog.choose("Undo Edits");
        await until("all files are as they were", async () =>
          JSON.stringify(await texts()) === JSON.stringify(before) ? true : undefined,
        );
      },
    );

    /** Accepts the call that waits, whose card shows this. */
    const accept = async (text: string): Promise<void> => {
      const card = (await gavel.chat()).locator('.pending[data-settled="true"]', { hasText: text });
      await card.locator('[data-decision="accept"]').click();
    };

    await step("6 a tool of another extension asks in the chat, then in VS Code where it wants that", async () => {
      await gavel.openTeam("shop.team.yaml", "Shop");
      await gavel.run("Buy");
      await accept("nail");
      assert.match(await editor.dialog.text(), /Ask for the price\?.*Acme will be told of nail\./s);
      await editor.screenshot("editor-tools-confirmation");
      await editor.press("Enter");
      await accept("gold");
      assert.match(await editor.dialog.text(), /gold/);
      await editor.press("Escape");
      for (const tool of ["acme_parts", "acme_throws", "acme_huge"]) await accept(tool);
      await gavel.sees("Asked for everything.");
      assert.equal(await file("log.txt"), "price of nail\n");
    });

    await step("7 results of every kind are in the chat, within limits, and failures are one sentence", async () => {
      await gives(0, ["nail costs 7."]);
      await gives(1, ["The user cancelled vscode/acme_price in VS Code's confirmation, so it was not run."]);
      const bytes = "[3 bytes of application/octet-stream are left out.]";
      await gives(2, ["plain", "from prompt-tsx", '"count": 3', bytes]);
      await gives(3, ["The tool vscode/acme_throws failed: The shop is closed."]);
      await gives(4, ["180,037 more characters. Copy to see all."]);
    });

    await step("8 an interrupt cancels the tool", async () => {
      await gavel.run("Slowly");
      await accept("acme_slow");
      await until("the tool runs", async () => ((await file("log.txt")).includes("slow started") ? true : undefined));
      await editor.press("Shift+Escape");
      await until("the tool is cancelled", async () =>
        (await file("log.txt")).includes("slow cancelled") ? true : undefined,
      );
      await gavel.untilStopped("Shop");
    });

    await step("9 a tool with an input that no model accepts is a problem of the team file", async () => {
      await gavel.openTeamFile("broken.team.yaml");
      await gavel.sees('the tool "vscode/acme_broken" cannot be used');
    });
  });
});
