/** What the benchmarks' model says: the same pieces for everyone, so that a text that arrived whole can be told from one that did not. */
export const piece = (at: number): string => ` word${at}`;

export const textOf = (pieces: number): string => Array.from({ length: pieces }, (_, at) => piece(at)).join("");

/** Pieces in the turn that is timed. */
export const TURN_PIECES = 40;
