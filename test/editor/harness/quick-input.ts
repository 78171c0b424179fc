import type { Page } from "playwright-core";
import { until } from "./until.ts";

/** One row of a quick pick. */
export interface QuickPickItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** VS Code's quick input: the command palette, quick picks and input boxes, operated by keyboard only. */
export class QuickInput {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Waits until it is open; with a text, until its title, its placeholder or its message contains that. */
  async opened(text = ""): Promise<void> {
    await until(`a quick input${text === "" ? "" : ` with "${text}"`} is open`, async () =>
      (await this.#heading()).includes(text) ? true : undefined,
    );
  }

  async closed(): Promise<void> {
    await this.#widget().waitFor({ state: "hidden" });
  }

  /** Runs a command by its title in the palette, such as "Gavel: Run Team" or "View: Toggle Terminal". */
  async runCommand(title: string): Promise<void> {
    // The palette does not update while it is open, so it is opened again until it has the command.
    await until(`the palette offers "${title}"`, async () => {
      if (await this.#offers(title)) return true;
      await this.cancel();
      return undefined;
    });
    await this.#focus(`the command "${title}"`, ({ label }) => label === title);
    await this.accept();
  }

  /** Whether the palette offers this command now. The palette is closed again. */
  async offersCommand(title: string): Promise<boolean> {
    const offered = await this.#offers(title);
    await this.cancel();
    return offered;
  }

  /** The rows that are on the screen. */
  items(): Promise<QuickPickItem[]> {
    return this.#widget()
      .locator(".monaco-list-row")
      .evaluateAll((rows) => {
        const text = (row: Element, selector: string): string => row.querySelector(selector)?.textContent?.trim() ?? "";
        return rows.map((row) => ({
          label: text(row, ".quick-input-list-row .label-name"),
          description: text(row, ".quick-input-list-row .label-description"),
          detail: text(row, ".quick-input-list-label-meta"),
        }));
      });
  }

  /** The label of the row that Enter accepts. */
  async focusedLabel(): Promise<string> {
    const focused = this.#widget().locator(".monaco-list-row.focused .quick-input-list-row .label-name");
    return (await focused.first().innerText()).trim();
  }

  /** Accepts the first row whose label contains this text, with the mouse. */
  async click(text: string): Promise<void> {
    await this.#widget().locator(".monaco-list-row", { hasText: text }).first().click();
  }

  /** Moves down to the first row whose label contains this text, and accepts it. */
  async choose(text: string): Promise<void> {
    await this.#focus(`"${text}"`, ({ label }) => label.includes(text));
    await this.accept();
  }

  /** Types into the input, after what is there. */
  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  async accept(): Promise<void> {
    await this.#page.keyboard.press("Enter");
  }

  async cancel(): Promise<void> {
    await this.leave();
    await this.closed();
  }

  /** Cancels it where another one opens in its place. */
  async leave(): Promise<void> {
    await this.#page.keyboard.press("Escape");
  }

  #widget() {
    return this.#page.locator(".quick-input-widget");
  }

  /** Opens the palette. @returns whether it has this command. */
  async #offers(title: string): Promise<boolean> {
    return until("the palette has an answer", async () => {
      // A list that has just been left may have closed it, so it is opened again until it answers.
      await this.#openPalette(title);
      const items = await this.items();
      return items.length > 0 ? items.some(({ label }) => label === title) : undefined;
    });
  }

  /**
   * Presses F1 until the palette is open with this text, as a key press is lost while the window loads. Another list that is
   * open, or is about to close, is not the palette: what is typed there finds no command.
   */
  async #openPalette(query: string): Promise<void> {
    const input = this.#widget().locator(".quick-input-box input");
    const asks = async (text: string): Promise<boolean> =>
      (await input.isVisible()) && (await input.inputValue({ timeout: 2000 })).startsWith(text);
    if (await asks(`>${query}`)) return;
    await until("the command palette is open", async () => {
      if (await asks(">")) return true;
      await this.#page.keyboard.press("F1");
      return until("it opens", async () => ((await asks(">")) ? true : undefined), 2000);
    });
    await input.fill(`>${query}`, { timeout: 2000 });
  }

  /** The texts around the rows: title, placeholder and message. */
  async #heading(): Promise<string> {
    const widget = this.#widget();
    if (!(await widget.isVisible())) throw new Error("no quick input is open");
    const input = widget.locator(".quick-input-box input");
    const texts = await Promise.all([
      widget.locator(".quick-input-title").textContent(),
      widget.locator(".quick-input-message").textContent(),
      widget.locator(".quick-input-description").first().textContent(),
      input.getAttribute("placeholder"),
      input.getAttribute("aria-label"),
    ]);
    return texts.join("\n");
  }

  /** Presses the down key until the wanted row has the focus. */
  async #focus(what: string, isWanted: (item: QuickPickItem) => boolean): Promise<void> {
    await until(`${what} has the focus in the list`, async () => {
      const items = await this.items();
      const wanted = items.findIndex(isWanted);
      if (wanted < 0) return undefined;
      const focused = await this.#widget()
        .locator(".monaco-list-row")
        .evaluateAll((rows) => rows.findIndex((row) => row.classList.contains("focused")));
      if (focused === wanted) return true;
      await this.#page.keyboard.press(focused < wanted ? "ArrowDown" : "ArrowUp");
      return undefined;
    });
  }
}
