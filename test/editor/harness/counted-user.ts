import type { Locator } from "playwright-core";
import type { Editor } from "./editor.ts";

/** What a user has done. */
export interface Done {
  readonly clicks: number;
  readonly keys: number;
}

/** A user whose clicks and keys are counted. A key with modifiers is one key. */
export class CountedUser {
  readonly #editor: Editor;
  #clicks = 0;
  #keys = 0;

  constructor(editor: Editor) {
    this.#editor = editor;
  }

  async click(target: Locator): Promise<void> {
    await target.click();
    this.#clicks++;
  }

  async press(key: string): Promise<void> {
    await this.#editor.press(key);
    this.#keys++;
  }

  /** What was done since the last time. */
  take(): Done {
    const done = { clicks: this.#clicks, keys: this.#keys };
    this.#clicks = 0;
    this.#keys = 0;
    return done;
  }
}
