import { type DurableEvent, isDurable, type TeamEvent } from "../../../../shared/contract/event.ts";
import type { TeamSnapshot } from "../../../../shared/contract/team.ts";
import { missedTexts } from "../../../../shared/state/missed-texts.ts";
import { reduceTeam } from "../../../../shared/state/reducer.ts";
import { stateFromSnapshot, type TeamState } from "../../../../shared/state/team-state.ts";
import type { FollowedTeam, TeamToFollow } from "../../sessions/followed-team.ts";
import type { HostIdentity } from "../../store/host-identity.ts";

export interface RunListeners {
  /** A run has ended there. */
  readonly atRest: () => void;
  /** Events are missing, which the store has. */
  readonly behind: () => void;
  /** Called once, when the team is not followed any more. */
  readonly left: () => void;
}

/** A team that another host runs: its state there, and what is told of it here. */
export class RunElsewhere implements FollowedTeam {
  readonly owner: HostIdentity;
  readonly #team: TeamToFollow;
  readonly #listeners: RunListeners;
  #state: TeamState;
  /** What comes before it is told what happened until now. */
  #early: TeamEvent[] | undefined = [];
  #waiting: { readonly seq: number; readonly resolve: () => void }[] = [];
  #hasEnded = false;

  constructor(owner: HostIdentity, team: TeamToFollow, snapshot: TeamSnapshot, listeners: RunListeners) {
    this.owner = owner;
    this.#team = team;
    this.#listeners = listeners;
    this.#state = stateFromSnapshot(snapshot);
  }

  get state(): TeamState {
    return this.#state;
  }

  /** Whether the team runs there, as far as it was told. */
  get isRunning(): boolean {
    return this.#state.run !== null && !this.#hasEnded;
  }

  /** Whether it is not followed any more. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * `missed`: the stored events that the clients of this host do not have, up to the snapshot.
   * @returns false, with nothing told, if the other host was lost meanwhile, or shows what it could not store yet, or this
   * one has changed the team.
   */
  begin(missed: readonly DurableEvent[]): boolean {
    const isStored = this.#team.known.lastSeq + missed.length === this.#state.lastSeq;
    if (!isStored || this.#hasEnded || !this.#team.begin(this)) {
      this.leave();
      return false;
    }
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const event of missed) this.#team.tell(event);
    for (const chunk of missedTexts(this.#team.known, this.#state)) this.#team.tell(chunk);
    for (const event of early) this.receive(event);
    return true;
  }

  /** What the other host tells. */
  receive(event: TeamEvent): void {
    if (this.#hasEnded) return;
    if (this.#early !== undefined) {
      this.#early.push(event);
      return;
    }
    if (isDurable(event) && event.seq <= this.#state.lastSeq) return;
    if (isDurable(event) && event.seq !== this.#state.lastSeq + 1) {
      this.#listeners.behind();
      return;
    }
    this.#state = reduceTeam(this.#state, event);
    this.#team.tell(event);
    this.#wake(this.#state.lastSeq);
    if (event.type === "run/ended" && event.path === undefined) this.#listeners.atRest();
  }

  /** Resolves when the event of that number was told, or nothing more is. */
  async told(seq: number): Promise<void> {
    if (this.#hasEnded || this.#state.lastSeq >= seq) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ seq, resolve });
    await promise;
  }

  leave(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#listeners.left();
    if (this.#early === undefined) this.#team.ended();
    this.#wake(Number.POSITIVE_INFINITY);
  }

  #wake(seq: number): void {
    for (const waiting of this.#waiting) if (waiting.seq <= seq) waiting.resolve();
    this.#waiting = this.#waiting.filter((waiting) => waiting.seq > seq);
  }
}
