import type { Disposable } from "vscode";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { ParamsOf } from "../../shared/contract/message-type.ts";
import type { TeamOpen } from "../../shared/contract/requests.ts";
import { Disposables } from "../disposables.ts";
import { anyOf, Emitter } from "../emitter.ts";
import type { TeamFolders } from "../files/work-folders.ts";
import type { HostProcess } from "../host/host-process.ts";
import { TeamSession } from "../session/team-session.ts";
import type { FailedOpening } from "./failed-opening.ts";

/** New events of one of the open teams. */
export interface OpenTeamEvents {
  readonly session: TeamSession;
  readonly events: readonly TeamEvent[];
}

/**
 * The teams that this window has open, in the order in which they were opened. All of them are kept up to date; one is
 * active, which is the one that the chat shows. Switching to another changes nothing in the host.
 */
export class OpenTeams implements Disposable {
  readonly #host: HostProcess;
  readonly #foldersOf: ((teamFile: string | undefined) => TeamFolders) | undefined;
  readonly #own = new Disposables();
  readonly #changed = this.#own.add(new Emitter<undefined>());
  readonly #shown = this.#own.add(new Emitter<TeamSession>());
  readonly #events = this.#own.add(new Emitter<OpenTeamEvents>());
  readonly #failed = this.#own.add(new Emitter<unknown>());
  #open: readonly { readonly session: TeamSession; readonly scope: Disposables }[] = [];
  /** The last one was active last. */
  #activated: readonly TeamSession[] = [];
  #active: TeamSession | undefined;
  #failure: FailedOpening | undefined;

  /** Fires when a team was opened or closed, could not be opened, or another one is active. */
  readonly onChanged = this.#changed.event;
  /** Fires when an open team is shown from a new snapshot. */
  readonly onShown = this.#shown.event;
  /** Fires with new events of any open team, in order, after they have been folded in. */
  readonly onEvents = this.#events.event;
  /** Fires when an open team could not be brought up to date. */
  readonly onFailed = this.#failed.event;
  /** Calls `listener` when the list, the active team or the state of any open team may have changed. */
  readonly onStateChanged = anyOf(this.onChanged, this.onShown, this.onEvents);

  /** @param foldersOf where a team works, by the URI of its file. */
  constructor(host: HostProcess, foldersOf?: (teamFile: string | undefined) => TeamFolders) {
    this.#host = host;
    this.#foldersOf = foldersOf;
  }

  get all(): readonly TeamSession[] {
    return this.#open.map(({ session }) => session);
  }

  /** The team that the chat shows; undefined while it shows none, or a file that could not be opened. */
  get active(): TeamSession | undefined {
    return this.#active;
  }

  /** The file that could not be opened last, until it is corrected or closed. */
  get failure(): FailedOpening | undefined {
    return this.#failure;
  }

  /** The id of the user of this window. */
  get user(): string {
    return this.#host.people.user;
  }

  /** All open teams, the one that was active last first. */
  get recent(): readonly TeamSession[] {
    return [...this.#activated].reverse();
  }

  find(teamId: string): TeamSession | undefined {
    return this.all.find(({ state }) => state?.teamId === teamId);
  }

  /**
   * Opens a team, or the same one again, beside those that are open. It becomes active unless `background` is set.
   * @throws as `team/open`; then nothing has changed.
   */
  async open(params: ParamsOf<typeof TeamOpen>, how: { readonly background?: true } = {}): Promise<TeamSession> {
    const known = params.teamId === undefined ? undefined : this.find(params.teamId);
    const session = known ?? new TeamSession(this.#host, this.#foldersOf);
    try {
      const { teamId } = await session.open(params);
      // The user may have closed it meanwhile.
      if (known !== undefined && !this.all.includes(known)) return this.open(params, how);
      const same = this.find(teamId);
      // The same team may have been opened twice at once.
      if (same !== undefined && same !== session) session.dispose();
      const opened = same ?? session;
      if (same === undefined) this.#add(session);
      const isNeeded = this.#active === undefined && this.#failure === undefined;
      if (how.background === undefined || isNeeded) this.activate(opened);
      else this.#changed.fire(undefined);
      return opened;
    } catch (error) {
      if (known === undefined) session.dispose();
      throw error;
    }
  }

  /** Shows a file that could not be opened, so that no other team is active in its place. */
  fail(failure: FailedOpening): void {
    this.#failure = failure;
    this.#active = undefined;
    this.#changed.fire(undefined);
  }

  /** Closes the file that could not be opened. The team that was active before it is active again. */
  clearFailure(): void {
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    this.#active ??= this.#activated.at(-1);
    this.#changed.fire(undefined);
  }

  /** Makes an open team the one that the chat shows. Nothing in the host changes. */
  activate(session: TeamSession): void {
    if (!this.all.includes(session)) return;
    this.#activated = [...this.#activated.filter((other) => other !== session), session];
    this.#active = session;
    this.#changed.fire(undefined);
  }

  /** Stops showing a team; a run continues in the host. The one that was active before it is active again. */
  close(session: TeamSession): void {
    const closed = this.#open.find((open) => open.session === session);
    if (closed === undefined) return;
    this.#open = this.#open.filter((open) => open !== closed);
    this.#activated = this.#activated.filter((other) => other !== session);
    if (this.#active === session) this.#active = this.#activated.at(-1);
    closed.scope.dispose();
    this.#changed.fire(undefined);
  }

  dispose(): void {
    for (const { scope } of this.#open) scope.dispose();
    this.#own.dispose();
  }

  #add(session: TeamSession): void {
    const scope = new Disposables();
    scope.add(session);
    scope.add(session.onEvents((events) => this.#events.fire({ session, events })));
    scope.add(session.onShown(() => this.#shown.fire(session)));
    scope.add(session.onFailed((error) => this.#failed.fire(error)));
    this.#open = [...this.#open, { session, scope }];
    this.#activated = [session, ...this.#activated];
  }
}
