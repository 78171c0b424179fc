import type { Disposable } from "vscode";
import { window } from "vscode";
import { threadName } from "../../shared/text/thread-name.ts";
import { notify } from "../dialogs/notify.ts";
import { Disposables } from "../disposables.ts";
import type { OpenTeamEvents, OpenTeams } from "../open-teams/open-teams.ts";
import type { TeamSession } from "../session/team-session.ts";
import { endText } from "./notable-events.ts";

const SHOW = "Show";

/**
 * Notifies the user of a run that ended while the window was not looked at. (Failures and calls that need the user have
 * notifications of their own.)
 */
export class RunEndNotifications implements Disposable {
  readonly #show: (session: TeamSession) => void;
  readonly #own = new Disposables();

  constructor(teams: OpenTeams, show: (session: TeamSession) => void) {
    this.#show = show;
    this.#own.add(teams.onEvents((events) => this.#notify(events)));
  }

  dispose(): void {
    this.#own.dispose();
  }

  #notify({ session, events }: OpenTeamEvents): void {
    if (window.state.focused) return;
    const name = session.state === undefined ? "" : threadName(session.state);
    for (const event of events) {
      const sentence = endText(event, session.mirror?.tail ?? []);
      if (sentence === undefined) continue;
      void notify("info", `${name}: ${sentence}`, SHOW).then((choice) => {
        if (choice === SHOW) this.#show(session);
      });
    }
  }
}
