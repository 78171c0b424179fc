import type { Manager } from "./manager.ts";

/** Everyone in turn, in the order of the definition, from the one after whoever last finished a turn. */
export const roundRobinManager: Manager = {
  select({ state: { participants, lastSpeaker } }) {
    const last = participants.findIndex(({ name }) => name === lastSpeaker);
    const next = participants[(last + 1) % participants.length];
    return { speakers: next === undefined ? [] : [next.name] };
  },
};
