import type * as z from "zod";
import { messageOf, storageError } from "../../../../shared/contract/errors.ts";
import { DurableEvent } from "../../../../shared/contract/event.ts";
import { type CutJson, cutJson } from "../cut-texts.ts";

/**
 * An event as it is stored: what {@link readEvent} accepts, so that nothing is written that cannot be read.
 * @throws GavelError `StorageError` for any other event, such as one with a number that JSON does not have.
 */
export function eventJson(event: DurableEvent): CutJson {
  const { success, error } = DurableEvent.safeParse(event);
  if (!success) throw unstorable(event, problemOf(error));
  try {
    return cutJson(event);
  } catch (cause) {
    throw unstorable(event, messageOf(cause));
  }
}

/** The stored event of that number. @throws Error for what is not such an event of this version. */
export function readEvent(seq: number, value: unknown): DurableEvent {
  const event = DurableEvent.parse(value);
  if (event.seq !== seq) throw new Error(`It has the number ${event.seq}.`);
  return event;
}

function problemOf({ issues: [first] }: z.ZodError): string {
  return first === undefined ? "it has another shape" : `${first.path.join(".")}: ${first.message}`;
}

const unstorable = ({ type }: DurableEvent, why: string): Error =>
  storageError(
    `An event (${type}) was not stored because it could not be read again: ${why}. Report this as a defect.`,
  );

/** What stands in the place of an event that cannot be read, with its number: `sentence` is shown in the chat. */
export function lostEvent(seq: number, at: string, sentence: string): DurableEvent {
  return { seq, at, type: "error", message: sentence, data: { code: "StorageError" } };
}
