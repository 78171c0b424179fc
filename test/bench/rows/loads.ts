/** How many teams, or turns, stream while one of them is interrupted. */
export const LOADS: readonly number[] = [1, 8, 32];

/** How fast each of them streams. */
export const TOKENS_PER_SECOND = 200;
