import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ConditionInput, TerminationCondition } from "../conditions/condition.ts";
import { conditionInputOf } from "../conditions/condition-input.ts";
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
  prime(transcript: Transcript, count: number): void {
    this.#input ??= transcript.conditionInput(count);
  }

  take(event: TeamEvent): void {
    const input = conditionInputOf(event);
    if (input !== undefined) this.#input?.push(input);
  }

  /** The stop reason when the condition fires, else null. */
  check(): string | null {
    return this.#condition?.check(this.#input?.splice(0) ?? []) ?? null;
  }

  /** Counts from nothing. */
  reset(): void {
    this.#condition?.reset();
    this.#input = [];
  }

  /** Forgets its counts, to be primed again. */
  forget(): void {
    this.#condition?.reset();
    this.#input = undefined;
  }
}
