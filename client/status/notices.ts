import type { Disposable, LogOutputChannel } from "vscode";
import { messageOf } from "../../shared/contract/errors.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { ErrorAction } from "../common/error-actions.ts";
import type { ToPage } from "../common/page-messages.ts";
import { notify } from "../dialogs/notify.ts";
import { Disposables } from "../disposables.ts";
import { errorActionsFor } from "../errors/error-actions-for.ts";
import type { OpenTeams } from "../open-teams/open-teams.ts";
import type { TeamSession } from "../session/team-session.ts";

/** Where a notice is shown when the chat is on screen. */
export interface NoticePage {
  /** True while the user can see the page. */
  readonly visible: boolean;
  post(message: ToPage): void;
}

type Notice = Omit<Extract<ToPage, { type: "notice" }>, "type">;
/** The team that a notice is about; undefined for one about none. */
type Team = TeamSession | undefined;

/** What happens to a team when the user has gone on after a notice. */
const GONE_ON: ReadonlySet<TeamEvent["type"]> = new Set([
  "run/started",
  "tool/resolved",
  "userMessage/queued",
  "userMessage/edited",
  "userMessage/withdrawn",
  "message/edited",
  "message/dropped",
  "interrupt/completed",
  "team/reset",
  "state/loaded",
]);

/**
 * Shows errors with what the user can do about them: in the chat while it shows the team, else as a notification. A notice
 * in the chat belongs to its team, and goes when its action is taken or the team goes on.
 */
export class Notices implements Disposable {
  readonly #page: NoticePage;
  readonly #teams: OpenTeams;
  readonly #runAction: (action: ErrorAction, team: Team) => Promise<void>;
  readonly #log: LogOutputChannel;
  readonly #own = new Disposables();
  readonly #notices = new Map<Team, Notice>();

  /** @param runAction does what a notice's button says, about that team. */
  constructor(
    page: NoticePage,
    teams: OpenTeams,
    runAction: (action: ErrorAction, team: Team) => Promise<void>,
    log: LogOutputChannel,
  ) {
    this.#page = page;
    this.#teams = teams;
    this.#runAction = runAction;
    this.#log = log;
    this.#own.add(teams.onEvents(({ session, events }) => events.some(isGoingOn) && this.clear(session)));
    this.#own.add(teams.onChanged(() => this.#forgetClosed()));
  }

  /** Shows something that was thrown, and logs it. `team` is the one that it is about. */
  report(error: unknown, team: Team = this.#teams.active): void {
    this.#log.warn(messageOf(error));
    if (error instanceof Error && error.stack !== undefined) this.#log.debug(error.stack);
    this.show(messageOf(error), errorActionsFor(error, team?.state?.uri), team);
  }

  show(message: string, actions: readonly ErrorAction[] = [], team: Team = this.#teams.active): void {
    if (!this.#page.visible || team !== this.#teams.active) {
      this.notify(message, actions, team);
      return;
    }
    this.#notices.set(team, { message, actions });
    this.update();
  }

  /** Removes the notice about a team: its cause is gone, its action is taken, or the user has read it. */
  clear(team: Team = this.#teams.active): void {
    if (this.#notices.delete(team) && team === this.#teams.active) this.update();
  }

  /** Posts the notice about the team that is shown, or that there is none; for a page that shows another or has loaded. */
  update(): void {
    const notice = this.#notices.get(this.#teams.active);
    this.#page.post(notice === undefined ? { type: "noNotice" } : { type: "notice", ...notice });
  }

  /** Shows it as a notification, even while the chat is visible. */
  notify(message: string, actions: readonly ErrorAction[], team: Team): void {
    this.#ask(message, actions, team).catch((error: unknown) => this.report(error, team));
  }

  dispose(): void {
    this.#own.dispose();
  }

  async #ask(message: string, actions: readonly ErrorAction[], team: Team): Promise<void> {
    const chosen = await notify("error", message, ...actions.map(({ label }) => label));
    const action = actions.find(({ label }) => label === chosen);
    if (action !== undefined) await this.#runAction(action, team);
  }

  #forgetClosed(): void {
    for (const team of [...this.#notices.keys()]) {
      // What was about no team is over once one is shown.
      const isOver = team === undefined ? this.#teams.active !== undefined : !this.#teams.all.includes(team);
      if (isOver) this.#notices.delete(team);
    }
  }
}

const isGoingOn = (event: TeamEvent): boolean => event.path === undefined && GONE_ON.has(event.type);
