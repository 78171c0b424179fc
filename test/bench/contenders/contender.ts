/** Where a contender's model is. */
export interface ModelAt {
  readonly baseUrl: string;
  readonly model: string;
}

/** Is given the text as it streams. */
export type OnText = (delta: string) => void;

/** One way to have a model's streamed turn: a bare loop, Gavel's engine, Gavel's host, a peer. */
export interface Contender {
  /**
   * One turn, from the question to its end; `onText` is given the text as it streams. Aborting `signal` ends it in the way the
   * contender's users are told to.
   * @returns the text that the contender itself holds when it is over, also after an abort: "" when it has lost it.
   */
  turn(onText: OnText, signal: AbortSignal): Promise<string>;
  dispose?(): Promise<void>;
}

/** Several agents of a contender in one talk. */
export interface Talkers {
  /**
   * So many turns from the question on, the agents in order, each shown all that was said; the next talk begins anew.
   * @returns what each turn came to.
   */
  talk(turns: number, onText: OnText): Promise<readonly string[]>;
  dispose?(): Promise<void>;
}

/** Agents of a contender that are asked at once, and one that is shown all their answers. */
export interface Branches {
  /** @returns what each branch came to, and last what the one after them did. */
  flow(onText: OnText): Promise<readonly string[]>;
  dispose?(): Promise<void>;
}

/** What a contender's module exports. It leaves out what the contender has no means for. */
export interface ContenderExports {
  readonly start: Start;
  readonly startTalkers?: StartSeveral<Talkers>;
  readonly startBranches?: StartSeveral<Branches>;
}

export type Start = (at: ModelAt, loadPeer: LoadPeer) => Promise<Contender>;
export type StartSeveral<T> = (at: ModelAt, names: readonly string[], loadPeer: LoadPeer) => Promise<T>;

/** Imports a package from a peer's own folder. The caller names as much of its types as it uses: the project does not have them. */
export type LoadPeer = <T>(specifier: string) => Promise<T>;

export const INSTRUCTIONS = "You are a helpful assistant.";
export const QUESTION = "Say forty words.";

/** Who is shown the answers of all branches. */
export const JOINER = "joiner";

/** The names of so many agents. */
export const agentNames = (count: number): string[] => Array.from({ length: count }, (_, at) => `agent${at}`);
