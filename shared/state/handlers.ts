import type { TeamEvent } from "../contract/event.ts";
import type { TeamState } from "./team-state.ts";

type EventOf<T extends TeamEvent["type"]> = Extract<TeamEvent, { type: T }>;

/** For events of these types: the team's state after one. */
export type Handlers<T extends TeamEvent["type"]> = {
  readonly [K in T]: (state: TeamState, event: EventOf<K>) => TeamState;
};

/** For an event that is shown but changes no state. */
export const unchanged = (state: TeamState): TeamState => state;
