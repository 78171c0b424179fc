import type { Disposable } from "vscode";
import { threadName } from "../../shared/text/thread-name.ts";
import { errorActions } from "../common/error-actions.ts";
import { Disposables } from "../disposables.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { OpenTeamEvents, OpenTeams } from "../open-teams/open-teams.ts";
import type { TeamSession } from "../session/team-session.ts";
import type { Notices } from "./notices.ts";

/**
 * Notifies the user of failures that answer no request: a run that failed while no chat shows its team; a host that is
 * down; a team that could not be restored after a restart of the host.
 */
export class FailureNotifications implements Disposable {
  readonly #isSeen: (session: TeamSession) => boolean;
  readonly #notices: Notices;
  readonly #own = new Disposables();

  /** @param isSeen whether a page on the screen shows the team now. */
  constructor(teams: OpenTeams, host: HostProcess, isSeen: (session: TeamSession) => boolean, notices: Notices) {
    this.#isSeen = isSeen;
    this.#notices = notices;
    this.#own.add(teams.onEvents((events) => this.#notify(events)));
    this.#own.add(teams.onFailed((error) => notices.report(error)));
    this.#own.add(host.onStateChanged((state) => state === "down" && notices.report(host.whyDown)));
  }

  dispose(): void {
    this.#own.dispose();
  }

  #notify({ session, events }: OpenTeamEvents): void {
    if (this.#isSeen(session)) return;
    const { state } = session;
    const name = state === undefined ? "" : threadName(state);
    for (const event of events) {
      if (event.type !== "error") continue;
      this.#notices.notify(`${name}: ${event.message}`, errorActions(event.data, state?.uri), session);
    }
  }
}
