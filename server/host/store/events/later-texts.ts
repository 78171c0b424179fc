import { addLongText, type StoredText } from "../../../engine/index.ts";
import { countIn, placeIn } from "../cut-texts.ts";
import type { Database } from "../database.ts";
import { DamagedText, readText, readTextNow, usesOf } from "./long-texts.ts";

/** A text of an event that is read later. */
export interface LaterText extends StoredText {
  readonly place: string;
}

/**
 * The texts of an event, none of which is read yet; `damaged` says what is read in the place of one that is damaged.
 * Undefined where the database cannot be read while a caller waits.
 * @throws Error where one is missing.
 */
export async function laterTexts(
  database: Database,
  team: number,
  seq: number,
  damaged: () => string,
): Promise<readonly LaterText[] | undefined> {
  const { now } = database;
  if (now === undefined) return undefined;
  const uses = await usesOf(database, team, seq);
  return uses.map(({ place, hash, pieces }) => {
    const { n } = now.getNow("SELECT count(*) AS n FROM texts WHERE hash = ?", hash) ?? {};
    if (n !== pieces) throw new DamagedText("A text is missing.");
    const instead = (error: unknown): string => {
      if (error instanceof DamagedText) return damaged();
      throw error;
    };
    return {
      place,
      load: () => readText(database, hash, pieces).catch(instead),
      read: () => {
        try {
          return readTextNow(now, hash, pieces);
        } catch (error) {
          return instead(error);
        }
      },
    };
  });
}

/**
 * Puts texts, which are read when they are used, in their places in `checked`: what was stored as `value`, after its schema.
 * @throws Error when these are others.
 */
export function withLaterTexts(value: unknown, checked: object, texts: readonly LaterText[]): void {
  if (texts.length !== countIn(value)) throw new Error(`It has ${texts.length} of ${countIn(value)} texts.`);
  for (const text of texts) {
    const { key, parent } = placeIn(checked, text.place);
    addLongText(parent, key, text);
  }
}
