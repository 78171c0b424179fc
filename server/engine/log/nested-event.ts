import type { TeamEvent } from "../../../shared/contract/event.ts";
import { ownValue } from "../../../shared/json-record.ts";
import { eventWithin } from "../../../shared/state/reducer.ts";

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
  if (event.type !== "state/loaded") return undefined;
  const { state, ...place } = event;
  const saved = ownValue(state.inner, participant);
  return (saved === undefined ? { ...place, type: "team/reset" } : { ...event, state: saved }) as E;
}
