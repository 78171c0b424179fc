/** The chunks of the benchmarks' model: the same for all, so that a complete text can be told from a partial one. */
export const piece = (at: number): string => ` word${at}`;

export const turnText = (pieces: number): string => Array.from({ length: pieces }, (_, at) => piece(at)).join("");

/** Chunks in the timed turn. */
export const TURN_PIECES = 40;
