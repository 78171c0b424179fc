import { window } from "vscode";
import { messageOf } from "../../shared/contract/errors.ts";
import type { Mend, ToPage } from "../common/page-messages.ts";
import { mendFor } from "./mend-for.ts";

/** Where a notice is shown when the chat is on screen. */
export interface NoticePage {
  /** True when the page is there to be seen. */
  readonly visible: boolean;
  post(message: ToPage): void;
}

/** Tells the user a sentence, with the button that mends it: in the chat while it is visible, else as a notification. */
export class Notices {
  readonly #page: NoticePage;
  readonly #mend: (mend: Mend) => Promise<void>;
  readonly #teamFile: () => string | undefined;

  /** @param mend does what a notice's button says. @param teamFile the file of the team that is shown. */
  constructor(page: NoticePage, mend: (mend: Mend) => Promise<void>, teamFile: () => string | undefined) {
    this.#page = page;
    this.#mend = mend;
    this.#teamFile = teamFile;
  }

  /** Tells of something that was thrown. */
  report(error: unknown): void {
    this.show(messageOf(error), mendFor(error, this.#teamFile()));
  }

  show(message: string, mend?: Mend): void {
    if (this.#page.visible) this.#page.post({ type: "notice", message, ...(mend === undefined ? {} : { mend }) });
    else this.notify(message, mend);
  }

  /** As a notification wherever the chat is. */
  notify(message: string, mend?: Mend): void {
    this.#ask(message, mend).catch((error: unknown) => this.report(error));
  }

  async #ask(message: string, mend: Mend | undefined): Promise<void> {
    const labels = mend === undefined ? [] : [mend.label];
    const chosen = await window.showErrorMessage(message, ...labels);
    if (mend !== undefined && chosen === mend.label) await this.#mend(mend);
  }
}
