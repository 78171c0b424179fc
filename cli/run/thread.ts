import type { NewApprovalRule } from "../../shared/contract/approval.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { ApprovalsAdd } from "../../shared/contract/requests.ts";
import type { RunStatus, TeamSnapshot } from "../../shared/contract/team.ts";
import { reduceTeam } from "../../shared/state/reducer.ts";
import { stateFromSnapshot, type TeamState } from "../../shared/state/team-state.ts";
import type { HostClient } from "../host/host-client.ts";

/** A thread that is open in the host, kept up to date by its events. */
export class Thread implements Disposable {
  readonly host: HostClient;
  readonly teamId: string;
  readonly #show: (event: TeamEvent, state: TeamState) => void;
  readonly #stop: () => void;
  readonly #open = new Set<Promise<unknown>>();
  readonly #waiting = new Set<() => void>();
  #state: TeamState;
  #lastRun: RunStatus | undefined;
  #runs = 0;

  /** @param show called with each event, and the state after it. */
  constructor(host: HostClient, snapshot: TeamSnapshot, show: (event: TeamEvent, state: TeamState) => void) {
    this.host = host;
    this.teamId = snapshot.teamId;
    this.#state = stateFromSnapshot(snapshot);
    this.#show = show;
    this.#stop = host.onEvent((teamId, event) => {
      if (teamId === this.teamId) this.#received(event);
    });
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

  /** A request that keeps the team busy until it is answered. Rejects as it does. */
  during<T>(request: Promise<T>): Promise<T> {
    const open = request.finally(() => {
      this.#open.delete(open);
      this.#changed();
    });
    this.#open.add(open);
    // Who started it may wait for something else by then.
    open.catch(() => undefined);
    return open;
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
    const { teamId } = this;
    const { rule: kept, answered } = await this.host.request(ApprovalsAdd, {
      rule,
      ...(shown === undefined ? {} : { shown: { teamId, ...shown } }),
    });
    const added = { id: kept.id, answered };
    if (answered.length === 0) return added;
    await this.until(({ pendingTools }) => pendingTools.every(({ ref }) => !answered.includes(ref)));
    await this.until(({ pendingTools }) => pendingTools.length > 0 || this.#runs > before);
    return added;
  }

  /** Resolves when nothing runs and every request is answered. */
  async atRest(): Promise<void> {
    while (this.isRunning || this.#open.size > 0) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  #received(event: TeamEvent): void {
    this.#state = reduceTeam(this.#state, event);
    if (event.type === "run/started" && event.path === undefined) this.#runs += 1;
    if (event.type === "run/ended" && event.path === undefined) this.#lastRun = event.status;
    this.#show(event, this.#state);
    this.#changed();
  }

  #changed(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
