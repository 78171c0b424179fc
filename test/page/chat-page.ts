import { after, afterEach } from "node:test";
import type { Browser, Locator, Page } from "playwright-core";
import type { FromPage, PagePost, ToPage } from "../../client/common/page-messages.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { openBrowser } from "../editor/harness/browser.ts";
import { type PageServer, servePage, sharedPage } from "./page-server.ts";
import type { TeamScript } from "./team-script.ts";
import { type ThemeName, themeOf } from "./themes.ts";

/** Stands in for VS Code's webview API: records what the page posts and what its security policy blocks. */
interface EditorStub {
  readonly posted: FromPage[];
  /** The teams that these are about. */
  readonly about: (string | undefined)[];
  /** What the page has the extension keep, apart from the others, as it comes with every key. */
  readonly drafts: Extract<FromPage, { type: "draft" }>[];
  /** What the page has said of its focus, apart from the others, as it comes and goes at any time. */
  readonly focus: boolean[];
  readonly violations: string[];
}

declare global {
  interface Window {
    editorStub: EditorStub;
    acquireVsCodeApi: unknown;
  }
}

function installStub(): void {
  const stub: EditorStub = { posted: [], about: [], drafts: [], focus: [], violations: [] };
  let state: unknown;
  window.editorStub = stub;
  window.acquireVsCodeApi = () => ({
    postMessage: ({ teamId, message }: PagePost) => {
      if (message.type === "draft") return stub.drafts.push(message);
      if (message.type === "focus") return stub.focus.push(message.has);
      stub.about.push(teamId);
      return stub.posted.push(message);
    },
    getState: () => state,
    setState: (next: unknown) => {
      state = next;
    },
  });
  document.addEventListener("securitypolicyviolation", (event) => {
    stub.violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
  });
}

export interface PageOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** Called before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** How long a page may take for what is waited for, in milliseconds: the machine may do other work at the same time. */
const LIMIT_MS = 120_000;

/** A browser for the tests of one file, open from its first page to its last test. Pages last for one test. */
export function pageBrowser(): { page(options?: PageOptions): Promise<ChatPageDriver> } {
  let browser: Promise<PageBrowser> | undefined;
  afterEach(async () => (await browser)?.closePages());
  after(async () => (await browser)?.close());
  return {
    page: async (options) => {
      browser ??= PageBrowser.open();
      return (await browser).page(options);
    },
  };
}

/** A browser with the page's server. */
export class PageBrowser {
  readonly #browser: Browser;
  readonly #server: PageServer;

  private constructor(browser: Browser, server: PageServer) {
    this.#browser = browser;
    this.#server = server;
  }

  static async open(): Promise<PageBrowser> {
    const [browser, server] = await Promise.all([openBrowser(), sharedPage() ?? servePage()]);
    return new PageBrowser(browser, server);
  }

  async page({ theme = "dark", width = 420, height = 700, prepare }: PageOptions = {}): Promise<ChatPageDriver> {
    const page = await this.#browser.newPage({ viewport: { width, height } });
    page.setDefaultTimeout(LIMIT_MS);
    await page.addInitScript(installStub);
    await prepare?.(page);
    await page.goto(`${this.#server.url}?theme=${theme}`);
    const chat = new ChatPageDriver(page);
    await chat.untilPosted("ready");
    return chat;
  }

  /** Closes the pages that were opened here; pages of other test files in the same browser stay. */
  async closePages(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => context.close()));
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.#server.close();
  }
}

/** The chat page, which receives messages as from the extension and is used as a user does. */
export class ChatPageDriver {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Posts messages as the extension does, and waits until the page has rendered them. */
  async post(...messages: readonly ToPage[]): Promise<void> {
    await this.page.evaluate(
      (all) =>
        new Promise<void>((resolve) => {
          for (const message of all) window.postMessage(message, "*");
          setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
        }),
      messages as ToPage[],
    );
  }

  /** Opens the script's thread, with its last events or with so many of them, and waits until it is shown. */
  async open(script: TeamScript, trusted = true, events?: number): Promise<void> {
    await this.post({ type: "host", state: "ready" }, script.opened(trusted, events));
    await this.#untilSettled();
  }

  /** Goes to the end of the thread, and stays there while its rows are measured. */
  async goToEnd(): Promise<void> {
    const jump = this.page.locator(".jump");
    if (await jump.isVisible()) await jump.click();
    await this.#untilSettled();
  }

  /** Waits until the rows are loaded, and those that are measured for the first time no longer move. */
  async #untilSettled(): Promise<void> {
    await this.page.locator(".list-frame[aria-busy]").waitFor({ state: "detached" });
    await this.page.evaluate(async () => {
      const tops = (): string => {
        const rows = [...document.querySelectorAll("article")];
        return rows.map((row) => Math.round(row.getBoundingClientRect().top)).join();
      };
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let last = tops(), still = 0; still < 5; ) {
        await frame();
        const now = tops();
        still = now === last ? still + 1 : 0;
        last = now;
      }
    });
  }

  /** Shows the page in another theme, as when the user changes it. */
  async useTheme(theme: ThemeName): Promise<void> {
    const { bodyClass } = themeOf(theme);
    await this.page.evaluate(
      async ([name, classes]) => {
        const link = document.createElement("link");
        const loaded = new Promise((resolve, reject) => {
          link.onload = resolve;
          link.onerror = reject;
        });
        Object.assign(link, { rel: "stylesheet", href: `/theme.css?theme=${name}` });
        const old = document.querySelector('link[href^="/theme.css"]');
        old?.before(link);
        await loaded;
        old?.remove();
        document.body.className = classes;
      },
      [theme, bodyClass] as const,
    );
  }

  /** Posts the script's events since the last call. */
  async live(script: TeamScript): Promise<void> {
    const events: TeamEvent[] = script.take();
    await this.post({ type: "events", teamId: script.teamId, events });
  }

  posted(): Promise<FromPage[]> {
    return this.page.evaluate(() => window.editorStub.posted);
  }

  /** What the page had the extension keep last, as the composer's draft. */
  lastDraft(): Promise<Extract<FromPage, { type: "draft" }> | undefined> {
    return this.page.evaluate(() => window.editorStub.drafts.at(-1));
  }

  violations(): Promise<string[]> {
    return this.page.evaluate(() => window.editorStub.violations);
  }

  async untilPosted<T extends FromPage["type"]>(type: T): Promise<Extract<FromPage, { type: T }>> {
    const found = await this.page.waitForFunction(
      (wanted) => window.editorStub.posted.find((message) => message.type === wanted),
      type,
    );
    return (await found.jsonValue()) as Extract<FromPage, { type: T }>;
  }

  get rows(): Locator {
    return this.page.locator("[data-key]");
  }

  get composer(): Locator {
    return this.page.locator(".composer-text");
  }

  nodeCount(): Promise<number> {
    return this.page.evaluate(() => document.querySelectorAll("*").length);
  }

  /** The key of the focused row. */
  focusedRow(): Promise<string | undefined> {
    return this.page.evaluate(() =>
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset["key"] : undefined,
    );
  }
}

/** The visible text of an element. */
export function seen(locator: Locator): Promise<string> {
  return locator.innerText();
}
