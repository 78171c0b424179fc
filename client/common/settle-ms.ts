/**
 * How long something has been on the screen before the user can decide on it, in milliseconds: a click or key is for what
 * the user saw when deciding on it, not for what has just appeared in its place.
 */
export const SETTLE_MS = 500;
