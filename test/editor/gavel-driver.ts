import type { Frame, Locator } from "playwright-core";
import type { Editor } from "./harness/editor.ts";
import { until } from "./harness/until.ts";

/** What a user of Gavel does and sees in the editor. */
export class GavelDriver {
  readonly editor: Editor;

  constructor(editor: Editor) {
    this.editor = editor;
  }

  /** Opens a team file from the palette, once VS Code has found the extension. */
  async openTeamFile(name: string): Promise<void> {
    await this.editor.page.getByRole("tab", { name: "Gavel" }).waitFor();
    await this.editor.runCommand("Gavel: Open Team…");
    await this.editor.quickInput.opened("Open Team");
    await this.editor.quickInput.choose(name);
  }

  /** Opens a team file, and waits until the chat shows its team. */
  async openTeam(file: string, team: string): Promise<void> {
    await this.openTeamFile(file);
    await this.#heading(team);
  }

  /** Opens a new thread of a team file that has threads, and waits until the chat shows its team. */
  async openNewThread(file: string, team: string): Promise<void> {
    await this.openTeamFile(file);
    await this.editor.quickInput.opened("Start a new thread");
    await this.editor.quickInput.choose("New thread");
    await this.#heading(team);
  }

  /** Opens a stored thread of a team. */
  async openRecent(team: string): Promise<void> {
    await this.editor.runCommand("Gavel: Recent Threads…");
    await this.editor.quickInput.opened("Recent Threads");
    await this.editor.quickInput.choose(team);
    await this.#heading(team);
  }

  /** Runs the team on a task, from the palette. */
  async run(task: string): Promise<void> {
    await this.editor.runCommand("Gavel: Run Team…");
    await this.editor.quickInput.opened("Run ");
    await this.editor.quickInput.type(task);
    await this.editor.quickInput.accept();
  }

  /** The chat page. */
  chat(): Promise<Frame> {
    return this.editor.webviewFrame((frame) => frame.locator("#app > *").first().isVisible());
  }

  /** Waits until the chat shows this text. */
  async sees(text: string | RegExp): Promise<void> {
    const frame = await this.chat();
    await frame.getByText(text).first().waitFor({ timeout: 60_000 });
  }

  /** Waits until a participant's text is streaming. */
  async seesStreaming(): Promise<void> {
    await (await this.chat()).locator(".message.is-streaming").last().waitFor({ timeout: 60_000 });
  }

  /** Clicks a button of the chat. */
  async click(button: string): Promise<void> {
    await (await this.chat()).getByRole("button", { name: button }).last().click();
  }

  /** Decides on the last pending call with a click on its card. */
  async decide(decision: "accept" | "reject"): Promise<void> {
    await (await this.chat()).locator(`.pending [data-decision="${decision}"]`).last().click();
  }

  /** Waits until the last card has been there long enough to take decisions. */
  async untilSettled(): Promise<void> {
    await (await this.chat()).locator('.pending[data-settled="true"]').last().waitFor();
  }

  /** Whether what matches the selector gets the keys: VS Code gives them to the page a moment after that sets its focus. */
  async isFocused(selector: string): Promise<boolean> {
    return (await this.chat()).evaluate(
      (wanted) => document.hasFocus() && document.activeElement?.matches(wanted) === true,
      selector,
    );
  }

  /** Waits until what matches the selector gets the keys. */
  async untilFocused(selector: string): Promise<void> {
    await until(`${selector} has the focus`, async () => (await this.isFocused(selector)) || undefined);
  }

  /**
   * Does what focuses the chat, and waits until that is over. That the composer has the focus does not show it: it may have
   * had it before, and then VS Code can still take it away for a moment, in which keys are lost.
   * @returns whether the page lost the focus meanwhile
   */
  async focusChat(act: () => Promise<void>): Promise<boolean> {
    const seen = await (await this.chat()).evaluateHandle(() => {
      const now = { isAsked: false, isLost: false };
      addEventListener("blur", () => {
        now.isLost ||= !now.isAsked;
      });
      addEventListener("message", ({ data }) => {
        now.isAsked ||= data.type === "compose";
      });
      return now;
    });
    await act();
    await until("the chat is asked to focus its composer", () => seen.evaluate(({ isAsked }) => isAsked || undefined));
    await this.untilFocused(".composer-text");
    return seen.evaluate(({ isLost }) => isLost);
  }

  /** Presses the key until what matches the selector has the focus. */
  async pressUntilFocused(key: string, selector: string): Promise<void> {
    await until(`${key} leads to ${selector}`, async () => {
      if (await this.isFocused(selector)) return true;
      await this.editor.press(key);
      return undefined;
    });
  }

  /** The rows of the conversation that are on the page. */
  async rows(): Promise<Locator> {
    return (await this.chat()).getByRole("article");
  }

  /** The text of the last row of a kind: "message", "interrupt", "runEnd". */
  async lastRow(kind: string): Promise<string> {
    return (await (await this.chat()).locator(`article.row-${kind}`).last().textContent()) ?? "";
  }

  /** Puts the focus into the chat's composer, with the mouse. */
  async focusComposer(): Promise<void> {
    await (await this.chat()).locator(".composer-text").click();
  }

  /** Waits until the team is not running: a click on the status bar then shows the chat and does not interrupt. */
  async untilStopped(team: string): Promise<void> {
    await this.#untilStatusBarShows(new RegExp(`^${team} is (interrupted|paused|idle)`));
  }

  /** Waits until the team is running. */
  async untilRunning(team: string): Promise<void> {
    await this.#untilStatusBarShows(new RegExp(`^${team} is running`));
  }

  async #untilStatusBarShows(label: RegExp): Promise<void> {
    const item = this.editor.page.locator(".statusbar-item").getByRole("button", { name: label });
    await item.first().waitFor({ timeout: 60_000 });
  }

  async #heading(team: string): Promise<void> {
    await until(`the chat shows the team ${team}`, async () => {
      const heading = (await this.chat()).getByRole("heading", { name: team });
      return (await heading.isVisible()) ? true : undefined;
    });
    // The command ends with the focus in the composer, if there is one. Before that, keys could be lost.
    if (await (await this.chat()).locator(".composer-text").isVisible()) await this.untilFocused(".composer-text");
  }
}
