import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/root.ts";
import { launchEditor } from "../../editor/harness/launch-editor.ts";
import { until } from "../../editor/harness/until.ts";
import { median, ms } from "../statistics.ts";
import { START_AND_SIZE } from "./ready.ts";
import type { Bench } from "./row.ts";

const ROUNDS = 5;

/**
 * The activation time that VS Code reports in "Show Running Extensions", after a reload of the window each time, beside that
 * of an extension that does nothing.
 */
export const activation: Bench = {
  name: "activation",
  title: START_AND_SIZE,
  async run(howOften) {
    const figure = "extension activation, as VS Code reports it";
    const aim = "50 ms";
    if (!existsSync(join(root, "dist", "gavel.vsix"))) {
      return [{ figure, aim, measured: "not measured: run npm run package first" }];
    }
    const taken: number[] = [];
    const floors: number[] = [];
    const editor = await launchEditor({ extension: join(root, "test", "fixtures", "empty-extension") });
    const told = async (name: string): Promise<number> => {
      const row = editor.page.locator(".runtime-extensions-editor .monaco-list-row", { hasText: name });
      return until(`VS Code shows the activation time of ${name}`, async () => {
        const text = (await row.first().textContent({ timeout: 2000 })) ?? "";
        const [, time] = /Activation: (\d+)ms/.exec(text) ?? [];
        return time === undefined ? undefined : Number(time);
      });
    };
    try {
      // Showing its view activates it; VS Code shows the view again after each reload.
      await editor.page.locator(".activitybar .action-label[aria-label^='Gavel']").click();
      for (let round = 0; round < howOften(ROUNDS); round++) {
        await editor.webviewFrame();
        await editor.runCommand("Developer: Show Running Extensions");
        taken.push(await told("Gavel"));
        floors.push(await told("Empty Extension"));
        await editor.reload();
      }
    } catch (error) {
      await editor.saveDiagnostics("bench-activation");
      throw error;
    } finally {
      await editor.dispose();
    }
    return [{ figure, aim, measured: `${ms(median(taken))}; ${ms(median(floors))} for an empty extension` }];
  },
};
