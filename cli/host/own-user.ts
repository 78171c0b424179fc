/** The id of the user of every client on the computer of the host. */
export const OWN_USER = "user";
