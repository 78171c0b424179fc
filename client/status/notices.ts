import type { LogOutputChannel } from "vscode";
import { messageOf } from "../../shared/contract/errors.ts";
import type { ErrorAction } from "../common/error-actions.ts";
import type { ToPage } from "../common/page-messages.ts";
import { notify } from "../dialogs/notify.ts";
import { errorActionsFor } from "../errors/error-actions-for.ts";
import type { TeamSession } from "../team/team-session.ts";

/** Where a notice is shown when the chat is on screen. */
export interface NoticePage {
  /** True while the user can see the page. */
  readonly visible: boolean;
  post(message: ToPage): void;
}

/** Shows errors with what the user can do about them: in the chat while it is visible, else as a notification. */
export class Notices {
  readonly #page: NoticePage;
  readonly #runAction: (action: ErrorAction, team: TeamSession | undefined) => Promise<void>;
  readonly #active: () => TeamSession | undefined;
  readonly #log: LogOutputChannel;

  /**
   * @param runAction does what a notice's button says, about that team.
   * @param active the team that the page shows.
   */
  constructor(
    page: NoticePage,
    runAction: (action: ErrorAction, team: TeamSession | undefined) => Promise<void>,
    active: () => TeamSession | undefined,
    log: LogOutputChannel,
  ) {
    this.#page = page;
    this.#runAction = runAction;
    this.#active = active;
    this.#log = log;
  }

  /** Shows something that was thrown, and logs it. `team` is the one that it is about. */
  report(error: unknown, team = this.#active()): void {
    this.#log.warn(messageOf(error));
    if (error instanceof Error && error.stack !== undefined) this.#log.debug(error.stack);
    this.show(messageOf(error), errorActionsFor(error, team?.state?.uri), team);
  }

  show(message: string, actions: readonly ErrorAction[] = [], team = this.#active()): void {
    if (this.#page.visible && team === this.#active()) this.#page.post({ type: "notice", message, actions });
    else this.notify(message, actions, team);
  }

  /** Shows it as a notification, even while the chat is visible. */
  notify(message: string, actions: readonly ErrorAction[], team: TeamSession | undefined): void {
    this.#ask(message, actions, team).catch((error: unknown) => this.report(error, team));
  }

  async #ask(message: string, actions: readonly ErrorAction[], team: TeamSession | undefined): Promise<void> {
    const chosen = await notify("error", message, ...actions.map(({ label }) => label));
    const action = actions.find(({ label }) => label === chosen);
    if (action !== undefined) await this.#runAction(action, team);
  }
}
