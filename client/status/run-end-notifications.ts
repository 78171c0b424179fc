import type { Disposable } from "vscode";
import { window } from "vscode";
import type { DurableEvent, TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import { finishText, mentionedText } from "../common/finish-text.ts";
import { threadName } from "../common/thread-name.ts";
import { notify } from "../dialogs/notify.ts";
import { Disposables } from "../disposables.ts";
import type { OpenTeamEvents, OpenTeams } from "../open-teams/open-teams.ts";
import type { TeamSession } from "../session/team-session.ts";

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
      const sentence = endOf(event, session.mirror?.tail ?? []);
      if (sentence === undefined) continue;
      void notify("info", `${name}: ${sentence}`, SHOW).then((choice) => {
        if (choice === SHOW) this.#show(session);
      });
    }
  }
}

/** Why the team's run ended by itself, as a sentence; undefined for any other event. */
function endOf(event: TeamEvent, tail: readonly DurableEvent[]): string | undefined {
  if (event.type !== "run/ended" || event.path !== undefined || event.status.code !== "success") return undefined;
  const text = mentionedText(event.stopReason);
  const said = tail.findLast((each) => each.type === "message/added" && textOf(each.message).includes(text));
  return `${finishText(event.stopReason, said?.type === "message/added" ? said.message.source : undefined)}.`;
}
