import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const TEAM = `
name: Coder
kind: roundRobin
participants:
  - { name: cody }
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      cody:
        - |
          Split [the line](src/split.js#L3), as src/split.js:4:5 says, not [the hosts](/etc/hosts) or
          \`linked.js:1\`, like this:

          \`\`\`js
          export function split(line) {
            return line.split(",");
          }
          \`\`\`

          In src/join.js:

          \`\`\`js
          // Joins parts
          export const join = (parts) => parts.join(",");
          \`\`\`
`;

test("what a message has is used in the editor", async (context) => {
  const workspace = await folderWithTeam(context, "coder.team.yaml", TEAM);
  await mkdir(join(workspace, "src"));
  await writeFile(
    join(workspace, "src", "split.js"),
    "// Splits a line\n\nfunction split(line) {\n    return line;\n}\n",
  );
  await writeFile(join(workspace, "src", "join.js"), "// Joins parts\nexport const join = (parts) => parts;\n");
  await symlink("/etc/hostname", join(workspace, "linked.js"));
  await withEditor("message-content", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "message-content");
    /** A file of the window's own copy of the workspace, as it is on disk. */
    const saved = (name: string) => readFile(join(editor.workspace, "src", name), "utf8");

    await step("code gets its colours, which the page loads when it shows code", async () => {
      await gavel.openTeam("coder.team.yaml", "Coder");
      await gavel.run("Split the line.");
      await (await gavel.chat()).locator(".hljs-keyword", { hasText: "return" }).waitFor({ timeout: 60_000 });
    });

    const link = async (name: string) => (await gavel.chat()).getByRole("link", { name, exact: true });
    const position = (text: string) => editor.statusBarItem(text).waitFor();

    await step("a link opens its file at the line, by a click", async () => {
      await (await link("the line")).click();
      await editor.page.getByRole("tab", { name: "split.js" }).waitFor();
      await position("Ln 3, Col 1");
    });

    await step("a path in the text opens at its column; with Space the focus stays in the chat", async () => {
      const path = await link("src/split.js:4:5");
      await path.press("Space");
      await position("Ln 4, Col 5");
      assert.ok(await path.evaluate((one) => document.hasFocus() && document.activeElement === one));
      await path.press("Enter");
      await editor.page.locator(".editor-instance .monaco-editor.focused").waitFor();
    });

    await step("outside the workspace nothing opens without asking, also by a link in the workspace", async () => {
      await (await link("the hosts")).click();
      assert.match(await editor.dialog.text(), /outside the workspace.*\/etc\/hosts/s);
      await editor.dialog.choose("Cancel");
      await (await link("linked.js:1")).click();
      assert.match(await editor.dialog.text(), /outside the workspace.*\/etc\/hostname/s);
      await editor.dialog.choose("Open File");
      await editor.page.getByRole("tab", { name: "linked.js" }).waitFor();
      assert.equal(await editor.page.getByRole("tab", { name: "hosts" }).count(), 0);
    });

    const page = editor.page;
    const diff = (name: string) => page.getByRole("tab", { name: `${name} (Proposed Change)` });
    const apply = async (at: number) => {
      const block = (await gavel.chat()).locator(".code-block").nth(at);
      await block.getByRole("button", { name: "Apply as Diff" }).click();
    };

    await step(
      "code is applied to the file that the line before names, by its diff; the edit can be undone",
      async () => {
        await apply(1);
        await diff("src/join.js").waitFor();
        await page.locator(".modified-in-monaco-diff-editor .view-lines", { hasText: "parts.join(" }).waitFor();
        await editor.screenshot("apply-as-diff");
        await page.getByRole("button", { name: /^Accept/ }).click();
        await diff("src/join.js").waitFor({ state: "detached" });
        await page.getByRole("tab", { name: /^join\.js/ }).waitFor();
        const text = page.locator(".editor-instance .view-lines");
        await text.filter({ hasText: "parts.join(" }).waitFor();
        assert.equal(await saved("join.js"), "// Joins parts\nexport const join = (parts) => parts;\n");
        await apply(1);
        await gavel.sees('"src/join.js" already has this code.');
        await text.click();
        await editor.press("Control+Z");
        await text.filter({ hasText: "parts.join(" }).waitFor({ state: "detached" });
      },
    );

    await step("part of the file in the active editor is asked about; the selection is replaced unasked", async () => {
      await (await link("the line")).click();
      await position("Ln 3, Col 1");
      await apply(0);
      await editor.quickInput.opened("Apply to src/split.js");
      await editor.quickInput.choose("Insert at the Cursor");
      await diff("src/split.js").waitFor();
      await page.getByRole("button", { name: /^Reject/ }).click();
      await diff("src/split.js").waitFor({ state: "detached" });
      await (await link("the line")).click();
      await apply(0);
      await editor.quickInput.opened("Apply to src/split.js");
      await editor.quickInput.choose("Replace the Whole File");
      await diff("src/split.js").waitFor();
      await page.locator(".original-in-monaco-diff-editor .view-lines", { hasText: "// Splits a line" }).waitFor();
      await page.locator(".modified-in-monaco-diff-editor .view-lines", { hasText: "export function" }).waitFor();
      assert.equal(
        await page.locator(".modified-in-monaco-diff-editor .view-lines", { hasText: "// Splits a line" }).count(),
        0,
      );
      await page.getByRole("button", { name: /^Reject/ }).click();
      await diff("src/split.js").waitFor({ state: "detached" });
      await (await link("the line")).click();
      await page.locator(".editor-instance .monaco-editor.focused").waitFor();
      await editor.press("Control+Shift+End");
      await position("selected");
      await apply(0);
      await diff("src/split.js").waitFor();
      await page.locator(".modified-in-monaco-diff-editor .view-lines", { hasText: "export function" }).waitFor();
      await page.getByRole("button", { name: /^Accept/, disabled: false }).waitFor();
      await editor.press("Control+K");
      await editor.press("Control+Shift+A");
      await diff("src/split.js").waitFor({ state: "detached" });
      await page.locator(".editor-instance .view-lines", { hasText: "export function split" }).waitFor();
      assert.match(await saved("split.js"), /\nfunction split/);
      await editor.press("Control+Z");
      await page.locator(".view-lines", { hasText: "export function" }).waitFor({ state: "detached" });
    });

    await step("code is not applied to a file outside the workspace", async () => {
      await (await gavel.chat()).getByRole("link", { name: "linked.js:1", exact: true }).click();
      await editor.dialog.choose("Open File");
      await page.getByRole("tab", { name: "linked.js", selected: true }).waitFor();
      await apply(0);
      await gavel.sees(/"linked.js" is not a file of the workspace/);
    });

    await step("code is inserted at the cursor, and opened as a file of its language", async () => {
      await (await link("the line")).click();
      await editor.press("Control+End");
      const code = (await gavel.chat()).locator(".code-block").first();
      await code.getByRole("button", { name: "Insert at Cursor" }).click();
      await editor.page.locator(".view-lines", { hasText: "export function split" }).waitFor();
      await code.getByRole("button", { name: "Open as File" }).click();
      await editor.page.getByRole("tab", { name: /Untitled|export function/ }).waitFor();
      await position("JavaScript");
    });
  });
});
