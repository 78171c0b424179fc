import type { TeamEvent } from "../../shared/contract/event.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import type { MessageKind } from "../host/client-answers.ts";

/** A question to the user at a terminal. */
export interface Question<K extends string = string> {
  /** What is to be decided; styled, and no longer than the terminal is wide. They stay when it is answered. */
  readonly lines: readonly string[];
  readonly answers: readonly Answer<K>[];
}

/** An answer by one key. */
interface Answer<K extends string = string> {
  readonly key: K;
  readonly label: string;
}

export const YES_OR_NO = [
  { key: "y", label: "allow" },
  { key: "n", label: "refuse" },
] as const;

/** A question that is answered by a line of text. */
export interface TextQuestion {
  readonly lines: readonly string[];
  readonly label: string;
  /** The text to begin with. */
  readonly text?: string;
  /** What was typed is kept as a message when the question goes without an answer. */
  readonly keepsText?: boolean;
}

/** Asks the user. Without an answer, because of the signal or as the process is to end, it is undefined. */
export interface Prompter {
  choose<K extends string>(question: Question<K>, signal?: AbortSignal): Promise<K | undefined>;
  ask(question: TextQuestion, signal?: AbortSignal): Promise<string | undefined>;
  /** How many columns its lines may have. */
  readonly columns: number;
  readonly rows: number;
}

/** What the keys of a terminal do. */
export interface Listeners {
  readonly typed: (line: string) => void;
  readonly interrupt: () => void;
  readonly leave: () => void;
  /** Whether the team runs on when this client leaves. */
  readonly runsOn: () => boolean;
}

/** Where a run is shown. */
export interface View {
  /** The id by which the host knows the user. */
  user: string;
  /** Shows an event; `state` is the team's after it. `isElsewhere` if its user did that in another client. */
  show(event: TeamEvent, state: TeamState, isElsewhere: boolean): void;
  /** A sentence that is no part of the thread. */
  tell(kind: MessageKind, sentence: string): void;
  /** The thread that was opened. */
  opened(state: TeamState): void;
  /** Only at a terminal. */
  readonly prompter?: Prompter | undefined;
  /** Called with a line that the user types while the team runs, with Ctrl+C, and with Ctrl+D. */
  listen?(listeners: Listeners): void;
  /** Shows what is left, and gives the terminal back. */
  [Symbol.dispose](): void;
}
