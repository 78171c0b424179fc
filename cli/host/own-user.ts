/** The id of the user of every client on this computer. */
export const OWN_USER = "user";
