import type { Disposable } from "vscode";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { Disposables } from "../disposables.ts";
import { anyOf, Emitter } from "../emitter.ts";
import type { TeamMirror } from "../session/team-mirror.ts";
import type { TeamSession } from "../session/team-session.ts";
import type { TeamSource } from "../session/team-source.ts";
import type { FailedOpening } from "./failed-opening.ts";
import type { OpenTeams } from "./open-teams.ts";

/** The active one of the open teams, whichever that is: for what shows one team at a time. */
export class ActiveTeam implements Disposable, TeamSource {
  readonly #teams: OpenTeams;
  readonly #own = new Disposables();
  readonly #shown = this.#own.add(new Emitter<TeamMirror | undefined>());
  readonly #events = this.#own.add(new Emitter<readonly TeamEvent[]>());
  #session: TeamSession | undefined;
  /** What is shown if no team is active; see {@link OpenTeams.failure}. */
  #failure: FailedOpening | undefined;

  readonly onShown = this.#shown.event;
  readonly onEvents = this.#events.event;
  readonly onStateChanged = anyOf(this.onEvents, this.onShown);

  constructor(teams: OpenTeams) {
    this.#teams = teams;
    this.#session = teams.active;
    this.#own.add(teams.onChanged(() => this.#changed()));
    this.#own.add(teams.onShown((session) => session === this.#session && this.#shown.fire(session.mirror)));
    this.#own.add(teams.onEvents(({ session, events }) => session === this.#session && this.#events.fire(events)));
  }

  get mirror(): TeamMirror | undefined {
    return this.#teams.active?.mirror;
  }

  get state(): TeamState | undefined {
    return this.#teams.active?.state;
  }

  get user(): string {
    return this.#teams.user;
  }

  dispose(): void {
    this.#own.dispose();
  }

  #changed(): void {
    const { active, failure } = this.#teams;
    const isSame = this.#session === active && (active !== undefined || this.#failure === failure);
    this.#session = active;
    this.#failure = failure;
    if (isSame) return;
    this.#shown.fire(this.mirror);
  }
}
