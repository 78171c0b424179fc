import type { TeamEvent } from "../../../shared/contract/event.ts";
import { ownValue } from "../../../shared/json-record.ts";
import { eventWithin } from "../../../shared/state/reducer.ts";
import { departedNames } from "../../../shared/state/replaced-participants.ts";

/**
 * An event as the nested team of `participant` sees it: its own events, and those that reset or load it. Undefined for
 * others.
 */
export function eventForNested<E extends TeamEvent>(participant: string, event: E): E | undefined {
  if (event.path !== undefined) {
    const [name, ...rest] = event.path;
    return name === participant ? eventWithin(event, rest) : undefined;
  }
  if (event.type === "team/reset") return event;
  if (event.type === "participants/changed") return changedForNested(participant, event) as E | undefined;
  if (event.type !== "state/loaded") return undefined;
  const { state, ...place } = event;
  const saved = ownValue(state.inner, participant);
  return (saved === undefined ? { ...place, type: "team/reset" } : { ...event, state: saved }) as E;
}

/** A nested team that has left, or was replaced, starts over if one of its name comes back. */
function changedForNested(
  participant: string,
  { changes, within = [], definition, by, ...place }: Extract<TeamEvent, { type: "participants/changed" }>,
): TeamEvent | undefined {
  const [outer, ...rest] = within;
  if (outer === participant)
    return { ...place, changes, definition, by, ...(rest.length === 0 ? {} : { within: rest }) };
  return outer === undefined && departedNames(changes).has(participant) ? { ...place, type: "team/reset" } : undefined;
}
