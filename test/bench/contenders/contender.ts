/** The endpoint and name of a contender's model. */
export interface ModelAt {
  readonly baseUrl: string;
  readonly model: string;
}

/** Called with each piece of text as it streams. */
export type OnText = (delta: string) => void;

/** One way to run a streamed model turn: a bare loop, Gavel's engine, Gavel's host, a peer. */
export interface Contender {
  /**
   * Runs one turn; `onText` is called with the text as it streams. Aborting `signal` ends it in the way that the contender
   * documents.
   * @returns the text that the contender itself has when the turn is over, also after an abort: "" when it was lost.
   */
  turn(onText: OnText, signal: AbortSignal): Promise<string>;
  dispose?(): Promise<void>;
}

/** Several agents of a contender in one conversation. */
export interface ConversationContender {
  /**
   * Runs `turns` turns after the question, the agents in order, each with all earlier messages. The next conversation starts
   * from an empty history.
   * @returns the text of each turn.
   */
  converse(turns: number, onText: OnText): Promise<readonly string[]>;
  dispose?(): Promise<void>;
}

/** Agents of a contender that are asked in parallel, and one that is given all their answers. */
export interface BranchContender {
  /** @returns the text of each branch, then that of the agent after them. */
  runBranches(onText: OnText): Promise<readonly string[]>;
  dispose?(): Promise<void>;
}

/** What a contender's module exports; what the contender does not support is left out. */
export interface ContenderExports {
  readonly start: Start;
  readonly startConversation?: StartSeveral<ConversationContender>;
  readonly startBranches?: StartSeveral<BranchContender>;
}

export type Start = (at: ModelAt, loadPeer: LoadPeer) => Promise<Contender>;
export type StartSeveral<T> = (at: ModelAt, names: readonly string[], loadPeer: LoadPeer) => Promise<T>;

/** Imports a package from a peer's own folder. The project does not have its types: the caller declares what it uses. */
export type LoadPeer = <T>(specifier: string) => Promise<T>;

export const INSTRUCTIONS = "You are a helpful assistant.";
export const QUESTION = "Say forty words.";

/** The agent that is given the answers of all branches. */
export const JOINER = "joiner";

/** Names for `count` agents. */
export const benchAgentNames = (count: number): string[] => Array.from({ length: count }, (_, at) => `agent${at}`);
