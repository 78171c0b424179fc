import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Frame, Locator, Page } from "playwright-core";
import { root } from "../../../scripts/root.ts";
import { Dialog } from "./dialog.ts";
import type { EditorServer } from "./editor-server.ts";
import { QuickInput } from "./quick-input.ts";
import { webviewFrame } from "./webview-frame.ts";

/** publisher.name of package.json. */
export const gavelId = "gavel.gavel";

const results = join(root, "test-results");

interface EditorParts {
  readonly workspace: string;
  readonly server: Pick<EditorServer, "extensions" | "userData" | "logs">;
  readonly dispose: () => Promise<void>;
}

/** A window of VS Code in a browser, operated as by a user. */
export class Editor {
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly dialog: Dialog;
  /** The folder that is open, absolute. */
  readonly workspace: string;
  /** The folder that the window's extensions run from. */
  readonly extensions: string;
  /** The folder of the user's own files, as `XDG_DATA_HOME` names it to the window's extensions. */
  readonly userData: string;
  /** Errors and warnings in the console, except VS Code's own: those of the webview, and every CSP violation. */
  readonly consoleErrors: readonly string[];
  readonly #logs: string;
  readonly #dispose: () => Promise<void>;

  constructor(page: Page, { workspace, server, dispose }: EditorParts) {
    this.page = page;
    this.quickInput = new QuickInput(page);
    this.dialog = new Dialog(page);
    this.workspace = workspace;
    this.extensions = server.extensions;
    this.userData = server.userData;
    this.consoleErrors = watchConsole(page);
    this.#logs = server.logs;
    this.#dispose = dispose;
  }

  /** Waits until VS Code has restored the window, by its performance mark. */
  async restored(): Promise<void> {
    const restored = "code/LifecyclePhase/Restored";
    await this.page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, restored, {
      timeout: 120_000,
    });
  }

  /** Runs a command by its full title in the palette, with the keyboard. */
  async runCommand(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /** Presses a key or a chord, such as "Control+Alt+I", wherever the focus is. */
  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  /** The page in Gavel's webview. Call again after a reload. */
  webviewFrame(isWanted?: (frame: Frame) => Promise<boolean>): Promise<Frame> {
    return webviewFrame(this.page, gavelId, isWanted);
  }

  /** The status bar's item with this text. */
  statusBarItem(text: string): Locator {
    return this.page.locator(".statusbar-item", { hasText: text });
  }

  /** The notification with this text, a toast. */
  notification(text: string): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item", { hasText: text });
  }

  /** Clears the notification with this text with the mouse, once it is shown: a later one may have the same text. */
  async clearNotification(text: string): Promise<void> {
    const toast = this.notification(text);
    await toast.hover();
    await toast.getByRole("button", { name: "Clear Notification" }).click();
    await toast.waitFor({ state: "detached" });
  }

  /** What VS Code shows above its editors, a line each: notifications, a dialog, an open list. For a failed step. */
  async shownAbove(): Promise<string[]> {
    const boxes = {
      notification: ".notifications-toasts .notification-list-item-main-row",
      dialog: ".monaco-dialog-box .dialog-message-row",
      list: ".quick-input-widget:visible",
    };
    const shown = await Promise.all(
      Object.entries(boxes).map(async ([name, selector]) =>
        (await this.page.locator(selector).allInnerTexts()).map((text) => `${name}: ${text.replaceAll(/\s+/g, " ")}`),
      ),
    );
    return shown.flat();
  }

  /**
   * Reloads the window, as a user does: VS Code saves its state first. The extension host starts again, and so does what
   * it started. (The page's own reload is like a crash: what VS Code had not saved is lost.)
   */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent("domcontentloaded");
    await this.runCommand("Developer: Reload Window");
    await loaded;
    await this.restored();
  }

  /** Saves a screenshot of the window as test-results/screens/NAME.png. */
  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(results, "screens", `${name}.png`) });
  }

  /** Saves a screenshot and all logs under this name, to find out why a test failed. */
  async saveDiagnostics(name: string): Promise<void> {
    await this.screenshot(`failed-${name}`);
    await mkdir(join(results, "logs"), { recursive: true });
    await cp(this.#logs, join(results, "logs", name), { recursive: true });
  }

  /** Opens another window on the same folder, with the same storage and secrets. It closes with this one, or before. */
  async openWindow(): Promise<Editor> {
    const page = await this.page.context().newPage();
    page.setDefaultTimeout(60_000);
    const dispose = async (): Promise<void> => {
      // As a user does: VS Code ends what runs in the window.
      const closed = page.waitForEvent("close");
      await page.close({ runBeforeUnload: true });
      await closed;
    };
    const { workspace, extensions, userData } = this;
    const other = new Editor(page, { workspace, server: { extensions, userData, logs: this.#logs }, dispose });
    await page.goto(this.page.url());
    await other.restored();
    return other;
  }

  /** Closes the window and removes its folders. */
  async dispose(): Promise<void> {
    await this.#dispose();
  }
}

/** VS Code from npm logs its own errors (missing native modules, unreachable hosts), which are left out. */
function watchConsole(page: Page): readonly string[] {
  const lines: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const isOwn =
      !message.text().includes("Content Security Policy") && /\/static\/|\/_static\//.test(message.location().url);
    if (!isOwn && !message.text().startsWith("Failed to load resource")) lines.push(message.text());
  });
  page.on("pageerror", (error) => lines.push(String(error)));
  return lines;
}
