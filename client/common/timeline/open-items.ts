/** What later events will still change in a timeline. */
export interface OpenThings {
  /** Messages that stream, by id, with who speaks. */
  readonly messages: ReadonlyMap<string, string>;
  /** Calls without a result: the key of the item that holds each, by ref. */
  readonly calls: ReadonlyMap<string, string>;
  /** Model requests that wait to be tried again: the key of the item that says so, by participant. */
  readonly retries: ReadonlyMap<string, string>;
  /** Whose turn it is. */
  readonly speakers: readonly string[];
  /** The participant that the user's messages now being added are for. */
  readonly directedTo: string | null;
  /** Nested teams of which something can still be told, by the key of the item that shows each. */
  readonly teams: ReadonlyMap<string, OpenTeam>;
}

/** A nested team of which something can still be told. */
export interface OpenTeam {
  readonly participant: string;
  /** What it says from now on stands in a new item; this one has calls without a result. */
  readonly over: boolean;
  readonly open: OpenThings;
}

export const NOTHING_OPEN: OpenThings = {
  messages: new Map(),
  calls: new Map(),
  retries: new Map(),
  speakers: [],
  directedTo: null,
  teams: new Map(),
};
