import type { LoadPeer } from "../contenders/contender.ts";

/** Something that saves the thread of two participants without a model: the engine, a peer with its saver, a bare list. */
export interface ThreadSaver {
  /** Runs `turns` turns of forty chunks in one thread. Call it once. */
  converse(turns: number): Promise<void>;
  /** The size of the saved conversation in bytes. */
  savedBytes(): number;
}

/** What a saver's module exports. */
export interface SaverExports {
  readonly createSaver: (loadPeer: LoadPeer) => Promise<ThreadSaver>;
}

export const SPEAKERS: readonly string[] = ["anna", "ben"];

/** The chunks of each turn. */
export const WORDS: readonly string[] = Array.from({ length: 40 }, (_, at) => ` word${at}`);
