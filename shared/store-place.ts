import * as z from "zod";
import { isRecord } from "./json-record.ts";
import { parseJson } from "./parse-json.ts";

/** What the place of a user's files depends on. `variables` are those of the environment. */
export interface UserPlace {
  readonly platform: string;
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** The largest file that tells where a folder's store is, in bytes. */
export const MAX_STORE_PLACE = 64_000;

const absolute = z
  .string()
  .min(1)
  .max(4_096)
  .regex(/^(?:\/|[A-Za-z]:[\\/]|\\\\)[^\0]*$/, "should be an absolute path");

/**
 * Where the store of a folder is, as the editor's extension tells other clients of the same user: a file of its own for each
 * folder. A later version of the file may have more fields.
 */
export const StorePlace = z.object({
  version: z.literal(1),
  /** With links resolved. */
  folder: absolute,
  storagePath: absolute,
  globalStoragePath: absolute,
});
export type StorePlace = z.infer<typeof StorePlace>;

/**
 * What the text of such a file says of `folder`.
 * @returns "newer" for a file of a later version, undefined for one that says nothing of it.
 */
export function storePlaceIn(text: string, folder: string): StorePlace | "newer" | undefined {
  const value = jsonIn(text);
  const parsed = StorePlace.safeParse(value);
  if (parsed.success) return parsed.data.folder === folder ? parsed.data : undefined;
  return isRecord(value) && typeof value["version"] === "number" && value["version"] > 1 ? "newer" : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The folder of Gavel's own files outside of any editor, by the platform's rules. */
export function userFolder({ platform, home, variables }: UserPlace): string {
  const given = (name: string): string | undefined => {
    const { success, data } = absolute.safeParse(variables[name]);
    return success ? data.replaceAll("\\", "/").replace(/\/$/, "") : undefined;
  };
  const base = home.replaceAll("\\", "/").replace(/\/$/, "");
  if (platform === "win32") return `${given("LOCALAPPDATA") ?? `${base}/AppData/Local`}/gavel`;
  if (platform === "darwin") return `${base}/Library/Application Support/gavel`;
  return `${given("XDG_DATA_HOME") ?? `${base}/.local/share`}/gavel`;
}

/** Has a file for each folder, by {@link folderKey}. */
export const placesFolder = (place: UserPlace): string => `${userFolder(place)}/folders`;

/** What a folder is known by: systems that ignore the case of names know one folder under several. */
export const folderKey = (folder: string, platform: string): string =>
  platform === "win32" || platform === "darwin" ? folder.toLowerCase() : folder;
