import type { Ledger } from "../log/ledger.ts";
import type { ReasoningInterruptOutcome, ReasoningInterruptRequest } from "../participants/interrupt-reasoning-tool.ts";
import type { InterruptRequest } from "../participants/interrupt-tool.ts";
import { pathField } from "../paths.ts";
import type { Team } from "../team/team.ts";

export interface WatchdogsOptions {
  /** The outermost team. */
  readonly root: () => Team;
  /** The ledger of the team whose participants use the tools. */
  readonly ledger: Ledger;
  /** The participants that lead to that team; empty for the outermost one. */
  readonly path: readonly string[];
}

/**
 * Carries out the interrupts that the participants of one team request with their tools. The team's events show the outcome.
 */
export class Watchdogs {
  readonly #options: WatchdogsOptions;

  constructor(options: WatchdogsOptions) {
    this.#options = options;
  }

  /**
   * Interrupts the team, a nested one together with the outer team, when the turn of the requesting participant has ended;
   * or another participant immediately. Returns false if that participant is not speaking.
   */
  interrupt({ by, reason, severity, participant }: InterruptRequest): boolean {
    const { root, path } = this.#options;
    if (participant !== undefined && this.#turnOf(participant) === undefined) return false;
    const place = { participant: participant ?? by, ...pathField(path) };
    const scope = participant === undefined && path.length === 0 ? {} : { scope: place };
    const grace = participant === undefined || participant === by ? "turn" : "now";
    // The receipt comes after the turn that requests it; an error that keeps it from being recorded fails the run anyway.
    root()
      .interrupt({ ...scope, by, reason, severity, grace })
      .catch(() => {});
    return true;
  }

  /** Asks a participant to end its reasoning. */
  interruptReasoning({ by, participant, reason, message }: ReasoningInterruptRequest): ReasoningInterruptOutcome {
    const turn = this.#turnOf(participant);
    if (turn === undefined) return "notReasoning";
    const { root, path } = this.#options;
    const isLimited = root().isReasoningLimited(by, path, turn);
    root()
      .interruptReasoning({ from: by, to: [participant], correlation_id: [turn], payload: { reason, message } }, path)
      .catch(() => {});
    return isLimited ? "limited" : "asked";
  }

  /** The turn in progress of a participant, unless it waits for the user. */
  #turnOf(name: string): string | undefined {
    const { openTurns, pendingTools } = this.#options.ledger.state;
    const waits = pendingTools.some(({ participant, path }) => (path?.[0] ?? participant) === name);
    return waits ? undefined : openTurns.find((turn) => turn.participant === name && turn.awaits === undefined)?.id;
  }
}
