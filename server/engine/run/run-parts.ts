import type { Ledger } from "../log/ledger.ts";
import type { Manager } from "../managers/manager.ts";
import type { ConditionFeed } from "./condition-feed.ts";
import type { Transcript } from "./transcript.ts";
import type { Turns } from "./turns.ts";

/** The parts of a team that its runs work with. */
export interface RunParts {
  readonly ledger: Ledger;
  readonly transcript: Transcript;
  readonly turns: Turns;
  readonly manager: Manager;
  readonly conditions: ConditionFeed;
  readonly maxTurns: number | undefined;
  /** The source of the user's messages. */
  readonly user: string;
  /** Closes what the nested teams left open: for good, or so that they can continue later. */
  readonly closeInner: (forGood: boolean) => void;
}
