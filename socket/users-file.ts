import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import * as z from "zod";
import { User } from "../shared/contract/people.ts";

/** The largest such file, in bytes. */
const MAX_SIZE = 1_000_000;

/** Ids that name somebody else: the user of this computer, and the host. */
const TAKEN = ["user", "host"];

/** The users who may join a host over the network. Of their tokens only the hashes are kept. */
const Users = z.object({
  users: z.array(User.extend({ tokenHash: z.string().regex(/^[0-9a-f]{64}$/) })).max(1_000),
});
type Users = z.infer<typeof Users>;

/** The file of users is missing, damaged or unsafe. The message is a sentence for who serves. */
export class UsersFileError extends Error {
  override readonly name = "UsersFileError";
}

/** A token is 256 random bits, so that its hash needs no salt. */
const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * Reads the users who may join.
 * @throws UsersFileError for a file that cannot be read, is none of users, or that others on this computer can write.
 */
export function readUsers(path: string): Users {
  let parsed: ReturnType<typeof Users.safeParse>;
  try {
    const { size, mode } = statSync(path);
    if (process.platform !== "win32" && (mode & 0o022) !== 0)
      throw new UsersFileError(`Others can change ${path}, which says who may join; make it your own with chmod 600.`);
    if (size > MAX_SIZE) throw new UsersFileError(`${path} is larger than 1 MB; it is to have the users who may join.`);
    parsed = Users.safeParse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    if (error instanceof UsersFileError) throw error;
    throw new UsersFileError(`${path}, which says who may join, cannot be read; add a user to make it.`, {
      cause: error,
    });
  }
  if (!parsed.success)
    throw new UsersFileError(`${path} has not the form of a file of users; remove it, and add them.`);
  const taken = parsed.data.users.find(({ id }) => TAKEN.includes(id));
  if (taken === undefined) return parsed.data;
  throw new UsersFileError(`No user in ${path} can have the id "${taken.id}"; give them another one.`);
}

/** Whose token that is. It takes as long for each token. */
export function userWith(token: string, { users }: Users): User | undefined {
  const hash = hashOf(token);
  const found = users.filter(({ tokenHash }) => timingSafeEqual(Buffer.from(tokenHash, "hex"), hash));
  return found[0] && { id: found[0].id, name: found[0].name };
}

/**
 * Adds a user to a file, which is made if it is missing, or gives one that is in it another token.
 * @returns the token, which is kept nowhere.
 * @throws UsersFileError for a file that is none of users, and for an id that is not free.
 */
export function addUser(path: string, { id, name }: User): string {
  if (TAKEN.includes(id)) throw new UsersFileError(`The id "${id}" is taken; give the user another one.`);
  const isNew = statSync(path, { throwIfNoEntry: false }) === undefined;
  const { users } = isNew ? { users: [] } : readUsers(path);
  const token = randomBytes(32).toString("base64url");
  const added = { id, name, tokenHash: hashOf(token).toString("hex") };
  writeUsers(path, { users: [...users.filter((user) => user.id !== id), added] });
  return token;
}

/** Makes a file without users if there is none: those who may join are added while the host runs. */
export function makeUsersFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) writeUsers(path, { users: [] });
}

function writeUsers(path: string, users: Users): void {
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, `${JSON.stringify(users, null, 2)}\n`, { mode: 0o600 });
  chmodSync(fresh, 0o600);
  renameSync(fresh, path);
}
