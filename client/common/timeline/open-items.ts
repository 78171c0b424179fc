/** What later events can still change in a timeline. */
export interface OpenItems {
  /** The participant that speaks each streaming message, by message id. */
  readonly messages: ReadonlyMap<string, string>;
  /** The key of the item that holds each call without a result, by the call's ref. */
  readonly calls: ReadonlyMap<string, string>;
  /** The call that started each background command which runs, by the command's id. */
  readonly commands: ReadonlyMap<string, string>;
  /** The key of the item that shows each model request waiting to be retried, by participant. */
  readonly retries: ReadonlyMap<string, string>;
  /** Whose turn it is. */
  readonly speakers: readonly string[];
  /** The participant that the user's messages now being added are addressed to. */
  readonly directedTo: string | null;
  /** Whether the next message begins the run in progress, so that a checkpoint is before it; undefined for unknown. */
  readonly beginsRun: boolean | undefined;
  /** Whether messages began runs, by their ids, as far as that is known. */
  readonly began: ReadonlyMap<string, boolean>;
  /** Nested teams that later events can still change, by the key of the item that shows each. */
  readonly teams: ReadonlyMap<string, OpenTeam>;
}

/** A nested team that later events can still change. */
export interface OpenTeam {
  readonly participant: string;
  /** The turn that this item shows has ended, but it has calls without a result; a later turn gets a new item. */
  readonly over: boolean;
  readonly open: OpenItems;
}

export const NO_OPEN_ITEMS: OpenItems = {
  messages: new Map(),
  calls: new Map(),
  commands: new Map(),
  retries: new Map(),
  speakers: [],
  directedTo: null,
  beginsRun: undefined,
  began: new Map(),
  teams: new Map(),
};
