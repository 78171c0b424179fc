import type { Page } from "playwright-core";

/** VS Code's modal dialog. In the browser it is never the system's. */
export class Dialog {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** @returns the message and the detail, once a dialog is open. */
  async text(): Promise<string> {
    return (await this.#box().locator(".dialog-message-container").textContent()) ?? "";
  }

  /** @returns the labels of its buttons, once a dialog is open. */
  async buttons(): Promise<string[]> {
    await this.#box().waitFor();
    return this.#box().locator(".dialog-buttons .monaco-button").allInnerTexts();
  }

  /** @returns the label of the button that Enter chooses, once it has the focus. */
  defaultButton(): Promise<string> {
    return this.#box().locator(".dialog-buttons .monaco-button:focus").innerText();
  }

  /** Clicks the button with this text, and waits until the dialog is gone. */
  async choose(button: string): Promise<void> {
    const box = this.#box();
    await box.locator(".dialog-buttons .monaco-button").getByText(button, { exact: true }).click();
    await box.waitFor({ state: "hidden" });
  }

  #box() {
    return this.#page.locator(".monaco-dialog-box");
  }
}
