import type { Manager } from "./manager.ts";

/** Participants speak in the order of the definition, starting after the one that last finished a turn. */
export const roundRobinManager: Manager = {
  ignoresMessages: true,
  select({ state: { participants, lastSpeaker } }) {
    const last = participants.findIndex(({ name }) => name === lastSpeaker);
    const next = participants[(last + 1) % participants.length];
    return { speakers: next === undefined ? [] : [next.name] };
  },
};
