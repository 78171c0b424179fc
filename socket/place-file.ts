import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HostPlace } from "../shared/contract/joining.ts";

/** The largest such file, in bytes. */
const MAX_SIZE = 16_000;

const pathIn = (storagePath: string): string => join(storagePath, "host.json");

/** Where the host of a storage folder listens; undefined where no file says so. The host may have been killed since. */
export function readHostPlace(storagePath: string): HostPlace | undefined {
  const path = pathIn(storagePath);
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_SIZE) return undefined;
    const parsed = HostPlace.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the file, which only the user can read. @throws Error when it cannot be written. */
export function writeHostPlace(storagePath: string, place: HostPlace): void {
  const path = pathIn(storagePath);
  const fresh = `${path}.${process.pid}.new`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify(place)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(fresh, path);
}

/** Removes the file, if it is still the one with that token. */
export function removeHostPlace(storagePath: string, token: string): void {
  if (readHostPlace(storagePath)?.token === token) rmSync(pathIn(storagePath), { force: true });
}
