import type { ConnectedPeople } from "../host/present-people.ts";

/** What a connection tells of people where no one else is. */
export const ALONE: ConnectedPeople = {
  user: undefined,
  onPresence: () => ({ dispose: () => undefined }),
  setWriting: () => undefined,
};
