import { homedir } from "node:os";
import { join } from "node:path";

/** A folder in the user's cache directory, shared by all clones. It may not exist yet. */
export function cacheFolder(...parts: readonly string[]): string {
  return join(userCache(), "gavel", ...parts);
}

function userCache(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === "win32") return LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  return join(homedir(), ".cache");
}
