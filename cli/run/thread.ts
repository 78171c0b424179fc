import type { NewApprovalRule } from "../../shared/contract/approval.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { TeamPresence } from "../../shared/contract/presence.ts";
import { ApprovalsAdd, TeamEvents, TeamFollow, TeamInterrupt } from "../../shared/contract/requests.ts";
import type { RunStatus, TeamSnapshot } from "../../shared/contract/team.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import { stateFromSnapshot, type TeamState } from "../../shared/state/team-state.ts";
import type { HostClient } from "../host/host-client.ts";
import { OwnActs } from "./own-acts.ts";

/** The most that is shown of what has happened in a thread while it was not followed, in events. */
const MAX_MISSED = 1_000;

/** What a thread needs of its host. */
export type ThreadHost = Pick<HostClient, "request" | "onEvent" | "onNotification" | "died" | "user" | "isJoined">;

/** Where a thread is shown. */
export interface Shown {
  /** Called with each event, and the state after it; `isElsewhere` if the user did that in another client. */
  event(event: TeamEvent, state: TeamState, isElsewhere: boolean): void;
  /** The state is no longer the one that the events led to. */
  reopened?(state: TeamState): void;
}

/** A thread that is open in the host, kept up to date by its events. */
export class Thread implements Disposable {
  readonly teamId: string;
  readonly #own: OwnActs;
  readonly #shown: Shown;
  readonly #open = new Set<Promise<unknown>>();
  readonly #waiting = new Set<() => void>();
  #host: ThreadHost;
  #stop: () => void;
  #state: TeamState;
  #lastRun: RunStatus | undefined;
  #runs = 0;
  /** Whether this client started the run in progress, or let it go on. */
  #isOwnRun = false;
  /** Whether another client has opened the thread since this one has. */
  #hasOthers = false;
  #lost = new AbortController();

  constructor(host: ThreadHost, snapshot: TeamSnapshot, shown: Shown) {
    this.teamId = snapshot.teamId;
    this.#state = stateFromSnapshot(snapshot);
    this.#own = new OwnActs(host.user);
    this.#shown = shown;
    this.#host = host;
    this.#stop = this.#follow(host, (event) => this.#received(event));
  }

  get host(): ThreadHost {
    return this.#host;
  }

  get state(): TeamState {
    return this.#state;
  }

  /** How the last run ended since the thread was opened. */
  get lastRun(): RunStatus | undefined {
    return this.#lastRun;
  }

  /** How many runs have started since the thread was opened. */
  get runs(): number {
    return this.#runs;
  }

  get isRunning(): boolean {
    const { status } = this.#state;
    return status === "running" || status === "interrupting";
  }

  /** Whether a run is in progress that another client has started. */
  get isOthersRun(): boolean {
    return this.isRunning && !this.#isOwnRun;
  }

  /** Aborted when its host has ended: then {@link moveTo} another. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** A request that keeps the team busy until it is answered. Rejects as it does. */
  during<T>(request: Promise<T>): Promise<T> {
    if (!this.isRunning) this.#isOwnRun = true;
    const open = request.finally(() => {
      this.#open.delete(open);
      this.#changed();
    });
    this.#open.add(open);
    // Who started it may wait for something else by then.
    open.catch(() => undefined);
    return open;
  }

  /** A message or a task is about to be sent. */
  sends(text: string): void {
    this.#own.sends(text);
  }

  /** A call is about to be decided. */
  decides(ref: string): void {
    this.#own.decides(ref);
  }

  /** Interrupts the run, whoever started it. */
  async interrupt(): Promise<void> {
    this.#own.interrupts();
    await this.host.request(TeamInterrupt, { teamId: this.teamId, reason: "user_request" });
  }

  /** Resolves when the state is so, now or after an event. */
  async until(is: (state: TeamState) => boolean): Promise<void> {
    while (!is(this.#state)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /**
   * Adds an approval rule, and waits until the calls that it decided wait no more and, if none waits then, until the run
   * that goes on with them has started. Returns the id of the rule, and the refs of these calls.
   */
  async addRule(
    rule: NewApprovalRule,
    shown?: { readonly ref: string; readonly preview: string },
  ): Promise<{ readonly id: string; readonly answered: readonly string[] }> {
    const before = this.#runs;
    const wasRunning = this.isRunning;
    const { teamId } = this;
    const params = { rule, ...(shown === undefined ? {} : { shown: { teamId, ...shown } }) };
    return this.#own.whileAddingRule(
      (async () => {
        const { rule: kept, answered } = await this.host.request(ApprovalsAdd, params);
        const added = { id: kept.id, answered };
        if (answered.length === 0) return added;
        if (!wasRunning) this.#isOwnRun = true;
        await this.until(({ pendingTools }) => pendingTools.every(({ ref }) => !answered.includes(ref)));
        await this.until(({ pendingTools }) => pendingTools.length > 0 || this.#runs > before);
        return added;
      })(),
    );
  }

  /** Resolves when nothing runs and every request is answered. */
  async atRest(): Promise<void> {
    while (this.isRunning || this.#open.size > 0) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Goes on in another host, with what has happened meanwhile. */
  async moveTo(host: ThreadHost): Promise<void> {
    this.#stop();
    this.#host = host;
    const early: TeamEvent[] = [];
    this.#stop = this.#follow(host, (event) => void early.push(event));
    const { teamId } = this;
    const after = this.#state.lastSeq;
    const missed = await host.request(TeamFollow, { teamId, after });
    const told = "snapshot" in missed ? await this.#toldBetween(after, missed.snapshot.lastSeq) : missed.events;
    this.#stop();
    this.#stop = this.#follow(host, (event) => this.#received(event));
    for (const event of told) this.#received(event);
    if ("snapshot" in missed) {
      this.#state = stateFromSnapshot(missed.snapshot);
      this.#shown.reopened?.(this.#state);
    }
    for (const event of early) this.#received(event);
    if (!this.isRunning) this.#isOwnRun = false;
    this.#changed();
  }

  /** The events from one number to another; none if they are too many, or not all of them can be had. */
  async #toldBetween(after: number, last: number): Promise<readonly TeamEvent[]> {
    const limit = last - after;
    if (limit <= 0 || limit > MAX_MISSED) return [];
    const { events } = await this.#host.request(TeamEvents, { teamId: this.teamId, after, limit });
    return events.length === limit ? events : [];
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  #follow(host: ThreadHost, received: (event: TeamEvent) => void): () => void {
    const lost = new AbortController();
    this.#lost = lost;
    host.died.catch(() => {
      lost.abort();
      this.#changed();
    });
    const stops = [
      host.onEvent((teamId, event) => {
        if (teamId === this.teamId) received(event);
      }),
      host.onNotification(TeamPresence.method, (params) => {
        const { teamId, clients } = TeamPresence.params.parse(params);
        if (teamId === this.teamId) this.#hasOthers ||= clients.length > 1;
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  #received(event: TeamEvent): void {
    this.#state = reduceTeam(this.#state, event);
    if (event.type === "run/started" && event.path === undefined) {
      this.#runs += 1;
      // A message that waited may start a run when another has ended.
      this.#isOwnRun ||= event.cause === "userMessage" && this.#open.size > 0;
    }
    if (event.type === "run/ended" && event.path === undefined) {
      this.#lastRun = event.status;
      this.#isOwnRun = false;
    }
    const isElsewhere = this.#own.isElsewhere(event);
    this.#shown.event(event, this.#state, isElsewhere && this.#hasOthers);
    this.#changed();
  }

  #changed(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
