/** Integers from 0 to below `limit`, the same for the same seed. */
export type RandomInt = (limit: number) => number;

/** Mulberry32. */
export function seededRandom(seed: number): RandomInt {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}
