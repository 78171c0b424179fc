import { existsSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { restrictFile } from "../private-files.ts";
import { findDamage } from "./find-damage.ts";
import { type Salvaged, salvage } from "./salvage.ts";

/**
 * Checks the store of a folder, which no other host may use meanwhile. A damaged store is set aside, with all its files, and
 * what can be read of it is written into a new one.
 * @returns what the user has to know, a sentence; undefined when nothing was damaged.
 * @throws Error when the damaged store cannot be set aside or the new one cannot be written. The damaged one is then as it
 * was.
 */
export function repairStore(folder: string): string | undefined {
  const path = join(folder, "gavel.db");
  const salvaged = `${path}-salvaged`;
  // A host ended between setting aside and this.
  if (!existsSync(path) && existsSync(salvaged)) renameSync(salvaged, path);
  const damage = findDamage(path);
  if (damage === undefined) return undefined;
  const saved = salvage(path, `${path}-salvaging`);
  restrictFile(`${path}-salvaging`);
  renameSync(`${path}-salvaging`, salvaged);
  const aside = freeName(path);
  for (const suffix of ["-wal", "-shm", ""]) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  renameSync(salvaged, path);
  return `${path} was damaged (${damage}) and is kept as ${basename(aside)}; a new store has what could be read: ${outcomeOf(saved)}.`;
}

/** A name beside the store that no earlier damage has. */
function freeName(path: string): string {
  for (let nth = 1; ; nth++) {
    const name = `${path}.damaged-${nth}`;
    if (!["", "-wal", "-shm"].some((suffix) => existsSync(name + suffix))) return name;
  }
}

function outcomeOf({ teams, others, isWhole }: Salvaged): string {
  const losses = teams.flatMap(({ name, events, lost }) =>
    lost === 0 ? [] : [`"${name}" has lost ${lost} of ${events} events`],
  );
  const whole = teams.length === 0 ? "no team" : `${teams.length} team${teams.length === 1 ? "" : "s"}`;
  const rest = others.length === 0 ? [] : [`some of these may be lost: ${others.join(", ")}`];
  const last = isWhole ? [] : ["what was stored last may be lost too"];
  return [whole, ...losses, ...last, ...rest].join("; ");
}
