import type { Disposable } from "vscode";
import type { TeamTab, ToPage } from "../common/page-messages.ts";
import { progressOf } from "../common/team-progress.ts";
import { Disposables } from "../disposables.ts";
import type { OpenTeams } from "../open-teams/open-teams.ts";
import type { UnreadMessages } from "../open-teams/unread-messages.ts";
import type { TeamSession } from "../session/team-session.ts";
import { teamTitle } from "../session/team-title.ts";

/** Keeps the page's list of open teams up to date. It is posted only when it has changed, not with every chunk. */
export class PageTeams implements Disposable {
  readonly #post: (message: ToPage) => void;
  readonly #teams: OpenTeams;
  readonly #unread: UnreadMessages;
  readonly #own = new Disposables();
  #shown = "";

  constructor(post: (message: ToPage) => void, teams: OpenTeams, unread: UnreadMessages) {
    this.#post = post;
    this.#teams = teams;
    this.#unread = unread;
    this.#own.add(teams.onStateChanged(() => this.#update()));
    this.#own.add(unread.onChanged(() => this.#update()));
  }

  /** Posts the list, as a page needs that has just loaded. */
  show(): void {
    this.#shown = "";
    this.#update();
  }

  dispose(): void {
    this.#own.dispose();
  }

  #update(): void {
    const { all, failure } = this.#teams;
    const failed: readonly TeamTab[] =
      failure === undefined ? [] : [{ teamId: failure.uri, name: failure.name, unread: 0, progress: "failed" }];
    const teams = [...all.flatMap((session) => this.#tab(session)), ...failed];
    const key = JSON.stringify(teams);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#post({ type: "teams", teams });
  }

  #tab(session: TeamSession): readonly TeamTab[] {
    const { mirror } = session;
    if (mirror === undefined) return [];
    const { teamId } = mirror.state;
    const name = teamTitle(
      mirror.state,
      this.#teams.all.map(({ state }) => state),
    );
    const unread = this.#unread.of(session);
    return [{ teamId, name, unread, progress: progressOf(mirror.state, mirror.tail) }];
  }
}
