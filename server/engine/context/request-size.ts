import { modelError } from "../../../shared/contract/errors.ts";
import { LIMITS } from "../../../shared/limits.ts";
import type { ContextItem } from "../model.ts";

/**
 * A request is one JSON text at the end, and JavaScript has no text of more than 2^29 characters.
 * @throws GavelError `ModelError` when the items have more characters than a request may have.
 */
export function assertRequestFits(participant: string, items: readonly ContextItem[]): void {
  let characters = 0;
  for (const item of items) {
    characters += lengthOf(item);
    assertCharactersFit(participant, characters);
  }
}

/** @throws GavelError `ModelError` for more characters than the items of a request may have. */
export function assertCharactersFit(participant: string, characters: number): void {
  if (characters <= LIMITS.request.characters) return;
  throw modelError(
    `The conversation is too long to be sent to the model of ${participant}, as it has more than ` +
      `${LIMITS.request.characters.toLocaleString("en-US")} characters; give ${participant} a \`context\` in the team ` +
      "file, such as { kind: buffered, size: 20 }, or start a new thread.",
    { retryable: false, fix: "teamFile" },
  );
}

/** The characters of all texts in a value of JSON. */
function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let length = 0;
  for (const part of Object.values(value)) length += lengthOf(part);
  return length;
}
