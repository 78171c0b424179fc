import type { Disposable } from "vscode";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { errorActions } from "../common/error-actions.ts";
import { Disposables } from "../disposables.ts";
import type { NoticePage, Notices } from "../errors/notices.ts";
import { HostDownError } from "../host/host-errors.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { TeamSession } from "../team/team-session.ts";

/**
 * Notifies the user of failures that answer no request: a run that failed while the chat, which shows it, is hidden; a
 * host that is down; a team that could not be restored after a restart of the host.
 */
export class FailureNotifications implements Disposable {
  readonly #session: TeamSession;
  readonly #page: NoticePage;
  readonly #notices: Notices;
  readonly #own = new Disposables();

  constructor(session: TeamSession, host: HostProcess, page: NoticePage, notices: Notices) {
    this.#session = session;
    this.#page = page;
    this.#notices = notices;
    this.#own.add(session.onEvents((events) => this.#notify(events)));
    this.#own.add(session.onFailed((error) => notices.report(error)));
    this.#own.add(host.onStateChanged((state) => state === "down" && notices.report(new HostDownError())));
  }

  dispose(): void {
    this.#own.dispose();
  }

  #notify(events: readonly TeamEvent[]): void {
    if (this.#page.visible) return;
    for (const event of events) {
      if (event.type === "error") {
        this.#notices.notify(event.message, errorActions(event.data, this.#session.state?.uri));
      }
    }
  }
}
