import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ConditionReport } from "../../../shared/contract/inspection.ts";
import { editedMessage } from "../../../shared/state/cut-message.ts";
import { conditionInputOf } from "../conditions/condition-input.ts";
import { type ConditionInput, isMessage, type TerminationCondition } from "../conditions/termination-condition.ts";
import type { Transcript } from "./transcript.ts";

/**
 * Shows a team's termination condition what came since it was last asked. What an interrupt leaves unasked is kept for the
 * next question, so that an interrupt changes no count; after a restart the counts are made anew from the transcript.
 */
export class ConditionFeed {
  readonly #condition: TerminationCondition | undefined;
  #input: ConditionInput[] | undefined;

  constructor(condition: TerminationCondition | undefined) {
    this.#condition = condition;
  }

  /** Makes the counts anew if need be: `count` messages at the transcript's end stand since the last reset. */
  restore(transcript: Transcript, count: number): void {
    this.#input ??= transcript.conditionInput(count);
  }

  apply(event: TeamEvent): void {
    if (event.type === "message/edited" || event.type === "message/dropped") this.#rewrite(event);
    const input = conditionInputOf(event);
    if (input !== undefined) this.#input?.push(input);
  }

  /** The stop reason when the condition fires, else null. */
  check(): string | null {
    return this.#condition?.check(this.#input?.splice(0) ?? []) ?? null;
  }

  /** True when what `check` has just said only pauses the run. */
  get pauses(): boolean {
    return this.#condition?.pauses === true;
  }

  /** How far the condition has come, with what it was not asked about yet; the feed must be primed. */
  describe(): ConditionReport[] {
    return this.#condition?.describe?.(this.#input ?? []) ?? [];
  }

  /** Sets each `external` condition, wherever it stands, or takes that back. */
  setExternal(isSet: boolean): void {
    this.#condition?.setExternal?.(isSet);
  }

  /** Counts from nothing. */
  reset(): void {
    this.#condition?.reset();
    this.#input = [];
  }

  /** Forgets its counts, to be primed again. */
  invalidate(): void {
    this.#condition?.reset();
    this.#input = undefined;
  }

  /** A message that was counted with its former text is counted anew, with all others. */
  #rewrite(event: Extract<TeamEvent, { type: "message/edited" | "message/dropped" }>): void {
    if (event.path !== undefined || this.#input === undefined) return;
    const at = this.#input.findIndex((input) => isMessage(input) && input.id === event.messageId);
    const message = this.#input[at];
    if (message === undefined || !isMessage(message)) this.invalidate();
    else this.#input.splice(at, 1, ...(event.type === "message/edited" ? [editedMessage(message, event.content)] : []));
  }
}
