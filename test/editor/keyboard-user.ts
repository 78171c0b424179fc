import type { Frame } from "playwright-core";
import type { GavelDriver } from "./gavel-driver.ts";
import type { Editor } from "./harness/editor.ts";
import { until } from "./harness/until.ts";

/** A user who has no mouse. */
export class KeyboardUser {
  readonly #editor: Editor;
  readonly #gavel: GavelDriver;

  constructor(editor: Editor, gavel: GavelDriver) {
    this.#editor = editor;
    this.#gavel = gavel;
  }

  /** Presses the two keys of one of Gavel's commands. */
  async chord(key: string): Promise<void> {
    await this.#editor.press("Control+K");
    await this.#editor.press(`Control+Shift+${key}`);
  }

  /** Focuses the chat at its key. @returns whether the page lost the focus meanwhile */
  focusChat(): Promise<boolean> {
    return this.#gavel.focusChat(() => this.chord("G"));
  }

  /** Presses Tab until the button of the dialog has the focus, and then Enter. */
  async answerDialog(button: string): Promise<void> {
    const { dialog, page } = this.#editor;
    await dialog.text();
    await until(`${button} has the focus`, async () => {
      if ((await dialog.defaultButton()) === button) return true;
      await this.#editor.press("Tab");
      return undefined;
    });
    await this.#editor.press("Enter");
    await page.locator(".monaco-dialog-box").waitFor({ state: "hidden" });
  }

  /** Counts from now on how often a pointer is pressed in VS Code and in the chat that is shown. */
  async watchPointer(): Promise<void> {
    for (const frame of await this.#frames())
      await frame.evaluate(() => {
        window.pointers = 0;
        addEventListener("pointerdown", () => window.pointers++, true);
      });
  }

  /** How often a pointer was pressed. */
  async clicks(): Promise<number> {
    const counts = await Promise.all((await this.#frames()).map((frame) => frame.evaluate(() => window.pointers)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #frames(): Promise<readonly Frame[]> {
    return [this.#editor.page.mainFrame(), await this.#gavel.chat()];
  }
}

declare global {
  interface Window {
    pointers: number;
  }
}
