import * as z from "zod";
import { request } from "../message-type.ts";

/**
 * Finds files of the open folders, or of those in which the team works, by a part of their paths, without those that
 * `.gitignore` excludes, the best matches first; at most `limit`, 50 if left out. `secret` says why a file may hold secrets.
 */
export const FilesFind = request(
  "files/find",
  z.strictObject({
    query: z.string().max(1000),
    limit: z.number().int().min(1).max(1000).optional(),
    teamId: z.string().min(1).max(200).optional(),
  }),
  z.object({ files: z.array(z.object({ uri: z.string(), path: z.string(), secret: z.string().optional() })) }),
);

/**
 * Tells which of these files may hold secrets, and why. Asked before the user attaches them to a message. A file of another
 * scheme, such as `git:` or `vscode-vfs:`, is judged by its name.
 */
export const FilesSecrets = request(
  "files/secrets",
  z.strictObject({ uris: z.array(z.string().max(10_000)).max(1000) }),
  z.object({ secrets: z.array(z.object({ uri: z.string(), why: z.string() })) }),
);
