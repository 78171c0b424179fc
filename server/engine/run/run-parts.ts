import type { Ledger } from "../log/ledger.ts";
import type { Manager } from "../managers/manager.ts";
import type { ConditionFeed } from "./condition-feed.ts";
import type { Transcript } from "./transcript.ts";
import type { Turns } from "./turns.ts";

/**
 * How what the nested teams left open is closed: so that it can continue (`pause`), as by a condition that ends the run
 * (`end`), or for good (`stop`).
 */
export type InnerClosing = "pause" | "end" | "stop";

/** The parts of a team that its runs work with. */
export interface RunParts {
  readonly ledger: Ledger;
  readonly transcript: Transcript;
  readonly turns: Turns;
  readonly manager: Manager;
  readonly conditions: ConditionFeed;
  readonly maxTurns: number | undefined;
  /** The user who acts now. */
  readonly user: () => string;
  /** Closes what the nested teams left open. */
  readonly closeInner: (how: InnerClosing) => void;
}
