import type { Disposable } from "vscode";
import { env, UIKind, window, workspace } from "vscode";
import { threadName } from "../../shared/text/thread-name.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { Disposables } from "../disposables.ts";
import type { OpenTeamEvents, OpenTeams } from "../open-teams/open-teams.ts";
import type { TeamSession } from "../session/team-session.ts";
import { notableEvents } from "./notable-events.ts";
import { showSystemNotification } from "./system-program.ts";

/**
 * Notifications of the operating system while the user looks at another program: a run of any open team has ended or failed,
 * or waits for the user. What there is to do waits in the window too.
 */
export class SystemNotifications implements Disposable {
  readonly #own = new Disposables();
  /** The keys of what each team's user was notified of. */
  readonly #notified = new WeakMap<TeamSession, Set<string>>();

  constructor(teams: OpenTeams) {
    this.#own.add(teams.onEvents((events) => this.#notify(events)));
  }

  dispose(): void {
    this.#own.dispose();
  }

  #notify({ session, events }: OpenTeamEvents): void {
    const { mirror } = session;
    if (mirror === undefined) return;
    const known = this.#notified.get(session) ?? new Set();
    this.#notified.set(session, known);
    const fresh = notableEvents(mirror.state, events, mirror.tail).filter(({ key }) => !known.has(key));
    for (const { key } of fresh) known.add(key);
    const [first] = fresh;
    if (first === undefined || !isWanted()) return;
    const text = fresh.length === 1 ? first.text : `${first.text} (and ${fresh.length - 1} more)`;
    void showSystemNotification({ title: `Gavel: ${threadName(mirror.state)}`, text: visibleText(text).text });
  }
}

/** Programs of this machine can only reach a user who sits at it. */
function isWanted(): boolean {
  if (window.state.focused || env.remoteName !== undefined || env.uiKind !== UIKind.Desktop) return false;
  return workspace.getConfiguration("gavel").get("notifications") !== "off";
}
