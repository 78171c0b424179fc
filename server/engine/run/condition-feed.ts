import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ConditionReport } from "../../../shared/contract/inspection.ts";
import { editedMessage } from "../../../shared/state/cut-message.ts";
import { conditionInputOf } from "../conditions/condition-input.ts";
import { type ConditionInput, isMessage, type TerminationCondition } from "../conditions/termination-condition.ts";
import type { Transcript } from "./transcript.ts";

/**
 * Feeds a team's termination condition with what happened since its last check. Input that an interrupt left unchecked is
 * kept for the next check, so that an interrupt changes no count. After a restart of the host the input is restored from the
 * transcript.
 */
export class ConditionFeed {
  readonly #condition: TerminationCondition | undefined;
  #input: ConditionInput[] | undefined;
  /** The reason of the condition that has fired, until the reset: the run may have ended for another reason first. */
  #fired: string | null = null;

  constructor(condition: TerminationCondition | undefined) {
    this.#condition = condition;
  }

  /** Whether the team has a termination condition. */
  get isAny(): boolean {
    return this.#condition !== undefined;
  }

  /** Restores the input after a restart: the last `count` messages of the transcript came since the last reset. */
  restore(transcript: Transcript, count: number): void {
    this.#input ??= this.#condition === undefined ? [] : transcript.conditionInput(count);
  }

  apply(event: TeamEvent): void {
    if (event.type === "message/edited" || event.type === "message/dropped") this.#rewrite(event);
    const input = conditionInputOf(event);
    if (input !== undefined) this.#input?.push(withMonotonicTime(input));
  }

  /** The stop reason if the condition fires, or null. */
  check(): string | null {
    if (this.#fired !== null) return this.#fired;
    const reason = this.#condition?.check(this.#input?.splice(0) ?? []) ?? null;
    if (!this.pauses) this.#fired = reason;
    return reason;
  }

  /** True when the condition that has fired only pauses the run. */
  get pauses(): boolean {
    return this.#condition?.pauses === true;
  }

  /** The progress of the condition, including input that was not checked yet; the feed must be restored first. */
  describe(): ConditionReport[] {
    return this.#condition?.describe?.(this.#input ?? []) ?? [];
  }

  /** Sets or clears every `external` condition, however deeply combined. */
  setExternal(isSet: boolean): void {
    this.#condition?.setExternal?.(isSet);
  }

  /** Counts from zero. */
  reset(): void {
    this.#condition?.reset();
    this.#fired = null;
    this.#input = [];
  }

  /** Drops all counts; `restore` must follow. */
  invalidate(): void {
    this.#condition?.reset();
    this.#fired = null;
    this.#input = undefined;
  }

  /** An edited message that was checked already invalidates the counts; one that was not is replaced. */
  #rewrite(event: Extract<TeamEvent, { type: "message/edited" | "message/dropped" }>): void {
    if (event.path !== undefined || this.#input === undefined) return;
    const at = this.#input.findIndex((input) => isMessage(input) && input.id === event.messageId);
    const message = this.#input[at];
    if (message === undefined || !isMessage(message)) this.invalidate();
    else this.#input.splice(at, 1, ...(event.type === "message/edited" ? [editedMessage(message, event.content)] : []));
  }
}

/** The clock may be set while a run is in progress, so an input that is live has the monotonic time too. */
const withMonotonicTime = (input: ConditionInput): ConditionInput =>
  input.type === "RunStarted" || input.type === "RunEnded" ? { ...input, ms: performance.now() } : input;
