import { SchemaError } from "./schema-error.ts";

/** How many schemas are applied to a value and its parts at most, each character of a text that is compared included. */
const MAX_STEPS = 200_000;

/** How many characters are measured, or matched with a format, in one step. */
const CHARACTERS_PER_STEP = 8;

/** Counts the work of one validation. */
export class Steps {
  #taken = 0;

  /** @throws SchemaError when it is too much. */
  add(steps: number): void {
    this.#taken += steps;
    if (this.#taken <= MAX_STEPS) return;
    throw new SchemaError(`it takes more than ${MAX_STEPS} steps for this value; make it simpler`);
  }

  /** Adds the steps of reading a text once. @throws SchemaError when it is too much. */
  addReading(text: string): void {
    this.add(Math.ceil(text.length / CHARACTERS_PER_STEP));
  }
}
