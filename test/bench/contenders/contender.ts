/** Where a contender's model is. */
export interface ModelAt {
  readonly baseUrl: string;
  readonly model: string;
}

/** One way to have a model's streamed turn: a bare loop, Gavel's engine, Gavel's host, a peer. */
export interface Contender {
  /**
   * One turn, from the question to its end; `onText` is given the text as it streams. Aborting `signal` ends it in the way the
   * contender's users are told to.
   * @returns the text that the contender itself holds when it is over, also after an abort: "" when it has lost it.
   */
  turn(onText: (delta: string) => void, signal: AbortSignal): Promise<string>;
  dispose?(): Promise<void>;
}

/** What a contender's module exports as `start`. */
export type Start = (at: ModelAt, loadPeer: LoadPeer) => Promise<Contender>;

/** Imports a package from a peer's own folder. The caller names as much of its types as it uses: the project does not have them. */
export type LoadPeer = <T>(specifier: string) => Promise<T>;

export const INSTRUCTIONS = "You are a helpful assistant.";
export const QUESTION = "Say forty words.";
