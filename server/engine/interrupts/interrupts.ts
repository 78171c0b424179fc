import type { Grace, InterruptReceipt, Severity } from "../../../shared/contract/team.ts";
import { newId } from "../id.ts";
import type { Ledger } from "../log/ledger.ts";
import type { InterruptOptions } from "../requests.ts";
import { moreSevere, soonerGrace } from "../severity.ts";
import { abandonedTools, type IsReadOnly, type PlacedWork, ReceiptCollector } from "./receipt.ts";

/** What an interrupt stops: a run, one participant's turn, one call, or nothing if nothing is running. */
export interface InterruptTarget {
  /** Equal for interrupts of the same target. Interrupts of a whole run and of a part of it have different keys. */
  readonly key: unknown;
  readonly isRunning: boolean;
  /**
   * Stops the target at that moment, within `limitMs` milliseconds if that is less than the team's grace. Called again if a
   * later interrupt asks for an earlier moment.
   */
  stop(grace: Grace, limitMs?: number): void;
  /** Calls `stopped` when nothing more starts in the target; immediately if it is stopped `now`. */
  whenStopped(stopped: () => void): void;
  /** Resolves when nothing of the target is running any more, with the stop reason of the run that it ended, if any. */
  readonly atRest: Promise<string | null>;
  /** True for work that ends with the target: the receipt lists nothing else. */
  covers(work: PlacedWork): boolean;
  /** Sets the severity with which the run ends, if the interrupt ends one. */
  setSeverity(severity: Severity): void;
  /** Applies the severity, which `by` asked for, once the target is at rest. */
  applySeverity(severity: Severity, by: string): void;
}

interface InterruptInProgress {
  readonly target: InterruptTarget;
  readonly receipt: Promise<InterruptReceipt>;
  severity: Severity;
  /** Who asked for that severity. */
  by: string;
  grace: Grace;
}

/**
 * Carries out interrupts, each with a receipt: requested, acknowledged, at rest. An interrupt that comes while another of
 * the same target is in progress shares its receipt, with the highest severity and the earliest moment of both.
 */
export class Interrupts {
  readonly #ledger: Ledger;
  readonly #user: () => string;
  readonly #isReadOnly: IsReadOnly;
  readonly #inProgress = new Map<unknown, InterruptInProgress>();

  constructor(ledger: Ledger, user: () => string, isReadOnly: IsReadOnly) {
    this.#ledger = ledger;
    this.#user = user;
    this.#isReadOnly = isReadOnly;
  }

  /**
   * Stops `target` and records the interrupt; resolves with the receipt. `cancelCalls` is called when it is acknowledged: it
   * cancels the calls that the interrupt takes with it.
   */
  interrupt(target: InterruptTarget, options: InterruptOptions, cancelCalls?: () => void): Promise<InterruptReceipt> {
    const { severity = "pause", grace = "now", by = this.#user() } = options;
    const shared = this.#inProgress.get(target.key);
    if (shared !== undefined) {
      const severest = moreSevere(shared.severity, severity);
      if (severest !== shared.severity) shared.by = by;
      shared.severity = severest;
      shared.target.setSeverity(shared.severity);
      const soonest = soonerGrace(shared.grace, grace);
      if (soonest !== shared.grace) shared.target.stop(soonest, options.limitMs);
      shared.grace = soonest;
      if (cancelCalls !== undefined) shared.target.whenStopped(cancelCalls);
      return shared.receipt;
    }
    const { promise: receipt, resolve, reject } = Promise.withResolvers<InterruptReceipt>();
    const current: InterruptInProgress = { target, receipt, severity, by, grace };
    this.#inProgress.set(target.key, current);
    target.setSeverity(severity);
    this.#execute(current, options, cancelCalls)
      .finally(() => this.#inProgress.delete(target.key))
      .then(resolve, reject);
    return receipt;
  }

  async #execute(
    current: InterruptInProgress,
    options: InterruptOptions,
    cancelCalls: (() => void) | undefined,
  ): Promise<InterruptReceipt> {
    const { target } = current;
    const interruptId = newId("interrupt");
    const now = timesFromNow();
    const requestedAt = now();
    const collector = new ReceiptCollector(target, this.#ledger.state, this.#isReadOnly);
    const unlisten = this.#ledger.onEvent((event) => collector.onEvent(event));
    this.#recordRequest(interruptId, current, options);
    let acknowledgedAt = requestedAt;
    target.whenStopped(() => {
      acknowledgedAt = now();
      this.#ledger.record({ type: "interrupt/acknowledged", interruptId });
      cancelCalls?.();
    });
    target.stop(current.grace, options.limitMs);
    const stopReason = await target.atRest;
    // From here on, a new interrupt can no longer share this receipt.
    this.#inProgress.delete(target.key);
    unlisten();
    const abandoned = abandonedTools(this.#ledger.state, this.#isReadOnly).filter((call) => target.covers(call));
    target.applySeverity(current.severity, current.by);
    const receipt: InterruptReceipt = {
      interruptId,
      wasRunning: target.isRunning,
      severity: current.severity,
      requestedAt,
      acknowledgedAt,
      quiescedAt: now(),
      stopReason,
      partials: collector.partials,
      abandonedTools: abandoned,
      status: this.#ledger.state.status,
      ...(options.scope === undefined ? {} : { scope: options.scope }),
      grace: current.grace,
      stopped: collector.stopped,
      ...(collector.cancelled.length === 0 ? {} : { cancelledTools: collector.cancelled }),
      kept: collector.kept(this.#ledger.state),
    };
    this.#ledger.record({ type: "interrupt/completed", ...receipt });
    return receipt;
  }

  #recordRequest(interruptId: string, { severity, by, grace }: InterruptInProgress, options: InterruptOptions): void {
    const { reason, message, rule, scope } = options;
    this.#ledger.record({
      type: "interrupt/requested",
      interruptId,
      severity,
      grace,
      by,
      ...(rule === undefined ? {} : { rule }),
      ...(scope === undefined ? {} : { scope }),
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
    });
  }
}

/** Returns the times of one interrupt: by the clock at its start, and by what has passed since, as the clock may be set. */
function timesFromNow(): () => string {
  const start = Date.now();
  const since = performance.now();
  return () => new Date(start + performance.now() - since).toISOString();
}
