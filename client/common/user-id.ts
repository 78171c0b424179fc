/** The id of the user of all clients on this machine, and of a host that names none. */
export const LOCAL_USER_ID = "user";
