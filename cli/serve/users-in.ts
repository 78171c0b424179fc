import { join } from "node:path";

/** The users of other computers who may join the host of a storage folder. */
export const usersIn = (storagePath: string): string => join(storagePath, "users.json");
