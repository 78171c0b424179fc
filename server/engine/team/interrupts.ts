import type { ChatMessage } from "../../../shared/contract/message.ts";
import type { InterruptReceipt, Severity } from "../../../shared/contract/team.ts";
import { newId } from "../id.ts";
import type { Ledger } from "./ledger.ts";
import type { InterruptOptions } from "./options.ts";
import type { Run } from "./run.ts";

const SEVERITIES: readonly Severity[] = ["pause", "stop", "reset"];

interface UnderWay {
  readonly receipt: Promise<InterruptReceipt>;
  readonly run: Run | undefined;
  readonly gravity: Gravity;
}

/** The highest severity asked for so far. A run knows it too, as it ends by it. */
interface Gravity {
  severity: Severity;
}

/**
 * Interrupts as requests with a receipt: requested, acknowledged, at rest. One that comes while another is under way shares
 * its receipt, at the highest severity asked for.
 */
export class Interrupts {
  readonly #ledger: Ledger;
  readonly #user: string;
  #underWay: UnderWay | undefined;

  constructor(ledger: Ledger, user: string) {
    this.#ledger = ledger;
    this.#user = user;
  }

  /** `settle` is called when the run has ended, with the severity, before the receipt is written. */
  interrupt(
    run: Run | undefined,
    options: InterruptOptions,
    settle: (severity: Severity) => void,
  ): Promise<InterruptReceipt> {
    const severity = options.severity ?? "pause";
    if (this.#underWay !== undefined && this.#underWay.run === run) {
      const { gravity, receipt } = this.#underWay;
      gravity.severity = graver(gravity.severity, severity);
      return receipt;
    }
    const gravity = run ?? { severity };
    gravity.severity = severity;
    const receipt = this.#carryOut(run, options, gravity, settle);
    const underWay = { receipt, run, gravity };
    this.#underWay = underWay;
    const over = (): void => {
      if (this.#underWay === underWay) this.#underWay = undefined;
    };
    receipt.then(over, over);
    return receipt;
  }

  async #carryOut(
    run: Run | undefined,
    options: InterruptOptions,
    gravity: Gravity,
    settle: (severity: Severity) => void,
  ): Promise<InterruptReceipt> {
    const interruptId = newId("interrupt");
    const requestedAt = now();
    const partials: ChatMessage[] = [];
    const unlisten = this.#ledger.onEvent((event) => {
      if (event.type === "message/added" && event.message.partial) partials.push(event.message);
    });
    this.#request(interruptId, gravity.severity, options);
    run?.context.interrupt({ kind: "interrupt" });
    const acknowledgedAt = now();
    this.#ledger.recordClosing({ type: "interrupt/acknowledged", interruptId });
    const result = await run?.ended;
    unlisten();
    const abandonedTools = this.#ledger.state.calls
      .filter(({ abandoned }) => abandoned)
      .map(({ ref, name, participant }) => ({ ref, name, participant }));
    const reached = gravity.severity;
    settle(reached);
    const receipt: InterruptReceipt = {
      interruptId,
      wasRunning: run !== undefined,
      severity: reached,
      requestedAt,
      acknowledgedAt,
      quiescedAt: now(),
      stopReason: result?.stopReason ?? null,
      partials,
      abandonedTools,
      status: this.#ledger.state.status,
    };
    this.#ledger.recordClosing({ type: "interrupt/completed", ...receipt });
    return receipt;
  }

  #request(interruptId: string, severity: Severity, options: InterruptOptions): void {
    const { reason, message, by } = options;
    this.#ledger.recordClosing({
      type: "interrupt/requested",
      interruptId,
      severity,
      grace: options.grace ?? "now",
      by: by ?? this.#user,
      ...(reason === undefined ? {} : { reason }),
      ...(message === undefined ? {} : { message }),
    });
  }
}

const now = (): string => new Date().toISOString();

const graver = (a: Severity, b: Severity): Severity => (SEVERITIES.indexOf(a) >= SEVERITIES.indexOf(b) ? a : b);
