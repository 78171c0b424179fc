/** The version of the wire protocol. It is increased by a change that breaks clients. */
export const PROTOCOL_VERSION = 1;
