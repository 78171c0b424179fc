import type { Grace, InterruptReceipt, Severity } from "../../../shared/contract/team.ts";
import { newId } from "../id.ts";
import type { Ledger } from "../log/ledger.ts";
import type { InterruptOptions } from "../requests.ts";
import { moreSevere, soonerGrace } from "../severity.ts";
import { abandonedTools, type IsReadOnly, ReceiptCollector } from "./receipt.ts";

/** What an interrupt stops: a run, one participant's turn, one call; or nothing, where nothing moves. */
export interface InterruptTarget {
  /** The same for interrupts that stop the same thing; an interrupt of a whole run is not shared by one of a part. */
  readonly key: unknown;
  readonly isRunning: boolean;
  /** Stops it at that moment. Called again with a sooner moment when somebody grows impatient. */
  stop(grace: Grace): void;
  /** Calls back when nothing more begins in it. It does at once when it is stopped `now`. */
  whenStopped(stopped: () => void): void;
  /** Resolves when nothing of it moves any more, with the stop reason of the run that it ended, if it ended one. */
  readonly atRest: Promise<string | null>;
  /** Takes the severity that the run, if one ends by it, is to end with. */
  setSeverity(severity: Severity): void;
  /** What the severity asks for once all is at rest. */
  applySeverity(severity: Severity): void;
}

interface InterruptInProgress {
  readonly target: InterruptTarget;
  readonly receipt: Promise<InterruptReceipt>;
  severity: Severity;
  grace: Grace;
}

/**
 * Interrupts as requests with a receipt: requested, acknowledged, at rest. One that comes while another of the same thing is
 * under way shares its receipt, at the highest severity and the soonest moment asked for.
 */
export class Interrupts {
  readonly #ledger: Ledger;
  readonly #user: string;
  readonly #isReadOnly: IsReadOnly;
  readonly #inProgress = new Map<unknown, InterruptInProgress>();

  constructor(ledger: Ledger, user: string, isReadOnly: IsReadOnly) {
    this.#ledger = ledger;
    this.#user = user;
    this.#isReadOnly = isReadOnly;
  }

  /** Stops `target`, and tells of it. */
  interrupt(target: InterruptTarget, options: InterruptOptions): Promise<InterruptReceipt> {
    const { severity = "pause", grace = "now" } = options;
    const shared = this.#inProgress.get(target.key);
    if (shared !== undefined) {
      shared.severity = moreSevere(shared.severity, severity);
      shared.target.setSeverity(shared.severity);
      const soonest = soonerGrace(shared.grace, grace);
      if (soonest !== shared.grace) shared.target.stop(soonest);
      shared.grace = soonest;
      return shared.receipt;
    }
    const { promise: receipt, resolve, reject } = Promise.withResolvers<InterruptReceipt>();
    const underWay: InterruptInProgress = { target, receipt, severity, grace };
    this.#inProgress.set(target.key, underWay);
    target.setSeverity(severity);
    this.#execute(underWay, options)
      .finally(() => this.#inProgress.delete(target.key))
      .then(resolve, reject);
    return receipt;
  }

  async #execute(underWay: InterruptInProgress, options: InterruptOptions): Promise<InterruptReceipt> {
    const { target } = underWay;
    const interruptId = newId("interrupt");
    const requestedAt = now();
    const notes = new ReceiptCollector(this.#ledger.state, this.#isReadOnly);
    const unlisten = this.#ledger.onEvent((event) => notes.onEvent(event));
    this.#recordRequest(interruptId, underWay, options);
    let acknowledgedAt = requestedAt;
    target.whenStopped(() => {
      acknowledgedAt = now();
      this.#ledger.recordClosing({ type: "interrupt/acknowledged", interruptId });
    });
    target.stop(underWay.grace);
    const stopReason = await target.atRest;
    // From here on it is too late to share what comes of it.
    this.#inProgress.delete(target.key);
    unlisten();
    const abandoned = abandonedTools(this.#ledger.state, this.#isReadOnly);
    target.applySeverity(underWay.severity);
    const receipt: InterruptReceipt = {
      interruptId,
      wasRunning: target.isRunning,
      severity: underWay.severity,
      requestedAt,
      acknowledgedAt,
      quiescedAt: now(),
      stopReason,
      partials: notes.partials,
      abandonedTools: abandoned,
      status: this.#ledger.state.status,
      ...(options.scope === undefined ? {} : { scope: options.scope }),
      grace: underWay.grace,
      stopped: notes.stopped,
      kept: notes.kept(this.#ledger.state),
    };
    this.#ledger.recordClosing({ type: "interrupt/completed", ...receipt });
    return receipt;
  }

  #recordRequest(interruptId: string, { severity, grace }: InterruptInProgress, options: InterruptOptions): void {
    const { reason, message, by, scope } = options;
    this.#ledger.recordClosing({
      type: "interrupt/requested",
      interruptId,
      severity,
      grace,
      by: by ?? this.#user,
      ...(scope === undefined ? {} : { scope }),
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
    });
  }
}

const now = (): string => new Date().toISOString();
