import type { Disposable } from "vscode";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { ParamsOf } from "../../shared/contract/message-type.ts";
import { TeamInspect, TeamOpen, TeamReset } from "../../shared/contract/requests.ts";
import type { TeamSnapshot } from "../../shared/contract/team.ts";
import { eventsAfter, missingEvents } from "../../shared/state/missing-events.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { Disposables } from "../disposables.ts";
import { anyOf, Emitter } from "../emitter.ts";
import type { TeamFolders } from "../files/work-folders.ts";
import type { TeamEventMessage } from "../host/connection.ts";
import type { HostProcess, HostState } from "../host/host-process.ts";
import { BufferedEvents } from "./buffered-events.ts";
import { TAIL, TeamMirror } from "./team-mirror.ts";
import type { TeamSource } from "./team-source.ts";

const NOWHERE: TeamFolders = { folders: [], isScratch: false };

/** One open team, kept up to date by the host's events, even after a restart of the host. */
export class TeamSession implements Disposable, TeamSource {
  readonly #host: HostProcess;
  readonly #foldersOf: (teamFile: string | undefined) => TeamFolders;
  readonly #own = new Disposables();
  readonly #shown = this.#own.add(new Emitter<TeamMirror | undefined>());
  readonly #events = this.#own.add(new Emitter<readonly TeamEvent[]>());
  readonly #failed = this.#own.add(new Emitter<unknown>());
  #mirror: TeamMirror | undefined;
  /** Events received while a snapshot or missing events are requested. */
  #buffer: BufferedEvents | undefined;
  /** Requests that replace or complete the mirror, one after another. */
  #queue: Promise<unknown> = Promise.resolve();

  /** Fires when the team is shown, at first and from a new snapshot. */
  readonly onShown = this.#shown.event;
  /** Fires with events of the open team, in order, after they have been folded in. */
  readonly onEvents = this.#events.event;
  /** Calls `listener` when {@link state} may have changed: with new events, or from a new snapshot. */
  readonly onStateChanged = anyOf(this.onEvents, this.onShown);
  /** Fires when the team could not be brought up to date. */
  readonly onFailed = this.#failed.event;

  /** @param foldersOf where a team works, by the URI of its file. */
  constructor(host: HostProcess, foldersOf: (teamFile: string | undefined) => TeamFolders = () => NOWHERE) {
    this.#host = host;
    this.#foldersOf = foldersOf;
    this.#own.add(host.onTeamEvent((message) => this.#received(message)));
    this.#own.add(host.onStateChanged((state) => this.#hostChanged(state)));
  }

  get mirror(): TeamMirror | undefined {
    return this.#mirror;
  }

  /** The team's state; undefined until it is open. */
  get state(): TeamState | undefined {
    return this.#mirror?.state;
  }

  get user(): string {
    return this.#host.people.user;
  }

  /** Where the team works. */
  get place(): TeamFolders {
    return this.#foldersOf(this.state?.uri);
  }

  /** Opens the team, or opens it again. @throws as `team/open`; then nothing has changed. */
  open(params: ParamsOf<typeof TeamOpen>): Promise<TeamSnapshot> {
    return this.#inTurn(() => this.#show(() => this.#host.request(TeamOpen, params)));
  }

  /** Empties the team's thread. */
  reset(teamId: string): Promise<TeamSnapshot> {
    return this.#inTurn(() => this.#show(() => this.#host.request(TeamReset, { teamId })));
  }

  /** Up to {@link TAIL} events before the one numbered `before`, in order. */
  async earlier(teamId: string, before: number): Promise<readonly TeamEvent[]> {
    const after = Math.max(0, before - 1 - TAIL);
    const limit = before - 1 - after;
    return limit < 1 ? [] : eventsAfter(this.#host, teamId, after, limit);
  }

  dispose(): void {
    this.#own.dispose();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  async #show(request: () => Promise<TeamSnapshot>): Promise<TeamSnapshot> {
    const buffer = this.#startBuffering();
    try {
      const snapshot = await request();
      buffer.discardChunks();
      this.#mirror = new TeamMirror(snapshot, await this.#lastEvents(snapshot));
      this.#shown.fire(this.#mirror);
      return snapshot;
    } finally {
      this.#applyBuffered(buffer);
    }
  }

  async #lastEvents({ teamId, lastSeq }: TeamSnapshot): Promise<readonly TeamEvent[]> {
    const after = Math.max(0, lastSeq - TAIL);
    return eventsAfter(this.#host, teamId, after, TAIL);
  }

  /** A restarted host has no team open, so the team is opened again. */
  #hostChanged(state: HostState): void {
    const mirror = this.#mirror;
    if (state !== "ready" || mirror === undefined) return;
    const { teamId } = mirror.state;
    this.#inTurn(async () => {
      if (this.#mirror === mirror) await this.#catchUp(mirror, () => this.#host.request(TeamOpen, { teamId }));
    }).catch((error: unknown) => this.#failed.fire(error));
  }

  /** Brings the mirror up to date by its missing events or, if that fails, replaces it by the snapshot. */
  async #catchUp(mirror: TeamMirror, request: () => Promise<TeamSnapshot>): Promise<void> {
    const buffer = this.#startBuffering();
    try {
      const snapshot = await request();
      buffer.discardChunks();
      const { teamId, lastSeq } = snapshot;
      const missing = await missingEvents(this.#host, teamId, mirror.state.lastSeq, lastSeq);
      if (missing !== undefined && this.#fold(mirror, missing) && matchesSnapshot(mirror.state, snapshot)) return;
      this.#mirror = new TeamMirror(snapshot, await this.#lastEvents(snapshot));
      this.#shown.fire(this.#mirror);
    } finally {
      this.#applyBuffered(buffer);
    }
  }

  #startBuffering(): BufferedEvents {
    this.#buffer = new BufferedEvents();
    return this.#buffer;
  }

  #applyBuffered(buffer: BufferedEvents): void {
    this.#buffer = undefined;
    const mirror = this.#mirror;
    if (mirror === undefined) return;
    const complete = this.#fold(mirror, buffer.forTeam(mirror.state.teamId));
    if (!complete) this.#fillGap(mirror);
  }

  #received(message: TeamEventMessage): void {
    const mirror = this.#mirror;
    if (this.#buffer !== undefined) this.#buffer.add(message);
    else if (mirror?.state.teamId === message.teamId && !this.#fold(mirror, [message.event])) this.#fillGap(mirror);
  }

  /** Folds events in and fires the new ones. False if an event before one of them is missing. */
  #fold(mirror: TeamMirror, events: readonly TeamEvent[]): boolean {
    const fresh: TeamEvent[] = [];
    let complete = true;
    for (const event of events) {
      const applied = mirror.apply(event);
      if (applied === "applied") fresh.push(event);
      complete = applied !== "gap";
      if (!complete) break;
    }
    if (fresh.length > 0) this.#events.fire(fresh);
    return complete;
  }

  #fillGap(mirror: TeamMirror): void {
    const { teamId } = mirror.state;
    this.#inTurn(async () => {
      if (this.#mirror === mirror) await this.#catchUp(mirror, () => this.#host.request(TeamInspect, { teamId }));
    }).catch((error: unknown) => this.#failed.fire(error));
  }
}

/** Whether an up-to-date state agrees with the snapshot. A snapshot of another `seq` cannot be compared. */
function matchesSnapshot(state: TeamState, snapshot: TeamSnapshot): boolean {
  if (state.lastSeq !== snapshot.lastSeq) return true;
  const streaming = new Set(streamingIn(snapshot));
  return state.status === snapshot.status && streamingIn(state).every((messageId) => streaming.has(messageId));
}

/** The ids of the messages that are streaming in a team and its nested teams. */
function streamingIn({ streaming, inner = {} }: TeamSnapshot): readonly string[] {
  return [...streaming.map(({ messageId }) => messageId), ...Object.values(inner).flatMap(streamingIn)];
}
