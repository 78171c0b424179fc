import type { LogOutputChannel } from "vscode";
import { messageOf } from "../../shared/contract/errors.ts";
import type { ErrorAction } from "../common/error-actions.ts";
import type { ToPage } from "../common/page-messages.ts";
import { notify } from "../dialogs/notify.ts";
import { errorActionsFor } from "./error-actions-for.ts";

/** Where a notice is shown when the chat is on screen. */
export interface NoticePage {
  /** True while the user can see the page. */
  readonly visible: boolean;
  post(message: ToPage): void;
}

/** Shows errors with what the user can do about them: in the chat while it is visible, else as a notification. */
export class Notices {
  readonly #page: NoticePage;
  readonly #runAction: (action: ErrorAction) => Promise<void>;
  readonly #teamFile: () => string | undefined;
  readonly #log: LogOutputChannel;

  /** @param runAction does what a notice's button says. @param teamFile the URI of the file of the team that is shown. */
  constructor(
    page: NoticePage,
    runAction: (action: ErrorAction) => Promise<void>,
    teamFile: () => string | undefined,
    log: LogOutputChannel,
  ) {
    this.#page = page;
    this.#runAction = runAction;
    this.#teamFile = teamFile;
    this.#log = log;
  }

  /** Shows something that was thrown, and logs it. */
  report(error: unknown): void {
    this.#log.warn(messageOf(error));
    if (error instanceof Error && error.stack !== undefined) this.#log.debug(error.stack);
    this.show(messageOf(error), errorActionsFor(error, this.#teamFile()));
  }

  show(message: string, actions: readonly ErrorAction[] = []): void {
    if (this.#page.visible) this.#page.post({ type: "notice", message, actions });
    else this.notify(message, actions);
  }

  /** Shows it as a notification, even while the chat is visible. */
  notify(message: string, actions: readonly ErrorAction[]): void {
    this.#ask(message, actions).catch((error: unknown) => this.report(error));
  }

  async #ask(message: string, actions: readonly ErrorAction[]): Promise<void> {
    const chosen = await notify("error", message, ...actions.map(({ label }) => label));
    const action = actions.find(({ label }) => label === chosen);
    if (action !== undefined) await this.#runAction(action);
  }
}
