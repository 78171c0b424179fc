/** The sender of the user's messages, interrupts and decisions. */
export const USER_ID = "user";
