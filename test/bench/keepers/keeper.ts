import type { LoadPeer } from "../contenders/contender.ts";

/** Something that keeps the thread of two who talk, with no model: the engine, a peer with its saver, a bare list. */
export interface Keeper {
  /** Lets them take so many turns of forty chunks in one thread, once. */
  talk(turns: number): Promise<void>;
  /** Bytes of what is saved of the talk. */
  savedBytes(): number;
}

/** What a keeper's module exports. */
export interface KeeperExports {
  readonly keep: (loadPeer: LoadPeer) => Promise<Keeper>;
}

export const SPEAKERS: readonly string[] = ["anna", "ben"];

/** What each turn says, in its chunks. */
export const WORDS: readonly string[] = Array.from({ length: 40 }, (_, at) => ` word${at}`);
