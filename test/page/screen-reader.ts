import type { virtual } from "@guidepup/virtual-screen-reader";
import { build } from "esbuild";
import type { ChatPageDriver } from "./chat-page.ts";

declare global {
  interface Window {
    readonly screenReader: { readonly virtual: typeof virtual };
  }
}

let bundle: Promise<string> | undefined;

/** The library as one script, built once for each test file. */
function readerScript(): Promise<string> {
  bundle ??= build({
    entryPoints: ["@guidepup/virtual-screen-reader"],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "screenReader",
    platform: "browser",
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? "");
  return bundle;
}

/**
 * A virtual screen reader in the page: it walks through the elements of a real browser as one does, and hears the live
 * regions. It computes names and roles itself, by the ARIA specifications.
 */
export class ScreenReader {
  readonly #chat: ChatPageDriver;

  private constructor(chat: ChatPageDriver) {
    this.#chat = chat;
  }

  static async startedIn(chat: ChatPageDriver): Promise<ScreenReader> {
    await chat.page.evaluate(`${await readerScript()};window.screenReader = screenReader`);
    const reader = new ScreenReader(chat);
    await reader.#start("body");
    return reader;
  }

  /** What it says from the first element within `selector` to the last, without the ends of elements. */
  async read(selector: string): Promise<string[]> {
    await this.#start(selector);
    const said = await this.#chat.page.evaluate(async () => {
      const { virtual } = window.screenReader;
      const first = await virtual.lastSpokenPhrase();
      do await virtual.next();
      while ((await virtual.lastSpokenPhrase()) !== `end of ${first}`);
      return virtual.spokenPhraseLog();
    });
    await this.#start("body");
    return said.filter((phrase) => !phrase.startsWith("end of "));
  }

  /** What it has said by itself since the last call, once that is `count` phrases. */
  async heard(count: number): Promise<string[]> {
    await this.#chat.page.waitForFunction(
      async (least) => (await window.screenReader.virtual.spokenPhraseLog()).length >= least,
      count,
    );
    return this.#chat.page.evaluate(async () => {
      const { virtual } = window.screenReader;
      const said = await virtual.spokenPhraseLog();
      await virtual.clearSpokenPhraseLog();
      return said;
    });
  }

  async #start(selector: string): Promise<void> {
    await this.#chat.page.evaluate(async (within) => {
      const { virtual } = window.screenReader;
      const container = document.querySelector<HTMLElement>(within);
      if (container === null) throw new Error(`there is no ${within}`);
      await virtual.stop();
      await virtual.start({ container });
      if (within === "body") await virtual.clearSpokenPhraseLog();
    }, selector);
  }
}
