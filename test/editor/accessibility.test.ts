import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { axeFindings } from "../page/axe.ts";
import { type ThemeName, themeLabels } from "../page/themes.ts";
import { GavelDriver } from "./gavel-driver.ts";
import { withEditor } from "./harness/launch-editor.ts";
import { stepsOf } from "./steps.ts";
import { folderWithTeam } from "./team-folder.ts";

const TEAM = `
name: Keys
kind: roundRobin
participants: [{ name: runner, tools: [runCommand] }]
maxTurns: 1
models:
  default:
    provider: practice
    pace: 0
    lines:
      runner: [{ calls: [{ tool: runCommand, input: { command: "echo hi" } }] }, "The command has run.", "Once more."]
`;

const themes: readonly ThemeName[] = [
  "dark2026",
  "light2026",
  "dark",
  "light",
  "contrast",
  "contrastLight",
  "monokai",
  "solarizedLight",
];

test("a run is started, approved and followed up by keyboard alone, and axe finds nothing in eight themes", async (context) => {
  const workspace = await folderWithTeam(context, "keys.team.yaml", TEAM);
  await withEditor("accessibility", { workspace }, async (editor) => {
    const gavel = new GavelDriver(editor);
    const step = stepsOf(context, editor, "accessibility");

    await step("1 a task is typed as soon as the team is open", async () => {
      await gavel.openTeam("keys.team.yaml", "Keys");
      await gavel.focusChat(() => editor.runCommand("Gavel: Focus Chat"));
      await editor.page.keyboard.type("Go");
      await editor.press("Enter");
      await gavel.untilSettled();
    });

    await step("2 axe finds nothing while an approval waits, in eight themes", async () => {
      const frame = await gavel.chat();
      await mkdir(join(editor.workspace, ".vscode"), { recursive: true });
      const found: string[] = [];
      // The page is transparent: what is behind it belongs to another frame, which axe does not see.
      await frame.evaluate(() => {
        document.body.style.background = "var(--vscode-sideBar-background)";
      });
      for (const theme of themes) {
        const label = themeLabels[theme];
        const settings = { "workbench.colorTheme": label };
        await writeFile(join(editor.workspace, ".vscode", "settings.json"), JSON.stringify(settings));
        await frame.waitForFunction((id) => document.body.dataset["vscodeThemeId"] === id, label);
        const lines = await axeFindings(frame);
        found.push(...lines.map((line) => `${label}: ${line}`));
        await editor.screenshot(`accessibility-${theme}`);
      }
      assert.deepEqual(found, []);
    });

    await step("3 keys accept the call, and the text box then has the focus", async () => {
      await editor.press("Control+K");
      await editor.press("Control+Shift+A");
      await gavel.untilFocused('[data-decision="accept"]');
      await editor.press("Enter");
      await gavel.sees("The command has run.");
      await gavel.untilFocused(".composer-text");
    });

    await step("4 the next message is typed at once, and the rows are reached with Shift+Tab", async () => {
      await editor.page.keyboard.type("Again");
      await editor.press("Enter");
      await gavel.sees("Once more.");
      await gavel.untilStopped("Keys");
      await gavel.pressUntilFocused("Shift+Tab", "article");
    });
  });
});
