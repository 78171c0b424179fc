/** The version of the wire contract this build speaks. It is bumped when a change breaks a client. */
export const PROTOCOL_VERSION = 1;
