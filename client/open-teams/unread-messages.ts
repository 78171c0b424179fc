import type { Disposable } from "vscode";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { Disposables } from "../disposables.ts";
import { Emitter } from "../emitter.ts";
import type { TeamSession } from "../session/team-session.ts";
import type { OpenTeams } from "./open-teams.ts";

/** Counts, for each open team, the messages that came while the user did not see the team. */
export class UnreadMessages implements Disposable {
  readonly #isSeen: (session: TeamSession) => boolean;
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new Emitter<undefined>());
  readonly #counts = new Map<TeamSession, number>();

  readonly onChanged = this.#changed.event;

  /** @param isSeen whether a page on the screen shows the team now. */
  constructor(teams: OpenTeams, isSeen: (session: TeamSession) => boolean) {
    this.#isSeen = isSeen;
    this.#own.add(teams.onEvents(({ session, events }) => this.#count(session, events)));
    this.#own.add(teams.onChanged(() => this.update(teams.all)));
  }

  of(session: TeamSession): number {
    return this.#counts.get(session) ?? 0;
  }

  /** Call it when the user may see another team. */
  update(open: readonly TeamSession[]): void {
    const before = this.#counts.size;
    for (const session of [...this.#counts.keys()]) {
      if (!open.includes(session) || this.#isSeen(session)) this.#counts.delete(session);
    }
    if (this.#counts.size !== before) this.#changed.fire(undefined);
  }

  dispose(): void {
    this.#own.dispose();
  }

  #count(session: TeamSession, events: readonly TeamEvent[]): void {
    const count = events.filter(isMessage).length;
    if (count === 0 || this.#isSeen(session)) return;
    this.#counts.set(session, this.of(session) + count);
    this.#changed.fire(undefined);
  }
}

/** Messages of nested teams are their own affair: their answer is a message of the team. */
function isMessage(event: TeamEvent): boolean {
  return event.type === "message/added" && event.path === undefined && event.message.type !== "UserTextMessage";
}
