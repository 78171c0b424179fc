import type { DatabaseSync } from "node:sqlite";
import { DurableEvent } from "../../../../shared/contract/event.ts";
import { RefRenaming } from "./ref-renaming.ts";

/** The events that request calls or replace them. */
const CALLS = "json LIKE '%\"tool/requested\"%' OR json LIKE '%\"state/loaded\"%'";

/**
 * Replaces equal refs in the stored events of every team: up to 0.3.0 a ref was the model's own id of the call, and unique
 * only within one team of the tree, until a reset. Such a team's checkpoint is dropped, as it has the refs too.
 */
export function renameEqualRefs(database: DatabaseSync): void {
  const update = database.prepare("UPDATE events SET json = ? WHERE team = ? AND seq = ?");
  const drop = database.prepare("DELETE FROM checkpoints WHERE team = ?");
  for (const team of teamsWithEqualRefs(database)) {
    const renaming = new RefRenaming();
    const changed: { readonly seq: number; readonly json: string }[] = [];
    for (const { seq, json } of database
      .prepare("SELECT seq, json FROM events WHERE team = ? ORDER BY seq")
      .iterate(team)) {
      const event = eventOf(json);
      const renamed = event && JSON.stringify(renaming.apply(event));
      if (renamed !== undefined && renamed !== JSON.stringify(event)) changed.push({ seq: Number(seq), json: renamed });
    }
    for (const { seq, json } of changed) update.run(json, team, seq);
    drop.run(team);
  }
}

function teamsWithEqualRefs(database: DatabaseSync): number[] {
  const renamings = new Map<number, RefRenaming>();
  const sql = `SELECT team, json FROM events WHERE ${CALLS} ORDER BY team, seq`;
  for (const { team, json } of database.prepare(sql).iterate()) {
    const event = eventOf(json);
    const renaming = renamings.get(Number(team)) ?? new RefRenaming();
    renamings.set(Number(team), renaming);
    if (event !== undefined) renaming.apply(event);
  }
  return [...renamings].filter(([, { hasRenamed }]) => hasRenamed).map(([team]) => team);
}

/** Undefined for a damaged event, which reading it reports. */
function eventOf(json: unknown): DurableEvent | undefined {
  try {
    return DurableEvent.parse(JSON.parse(String(json)));
  } catch {
    return undefined;
  }
}
