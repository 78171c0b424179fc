import type { TestTeamOptions } from "../../server/engine/testing/test-team.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { TeamObserver } from "./team-observer.ts";

/** A team whose run is recorded and replayed. Its models' replies depend only on their input. */
export interface RecordedTeam {
  readonly name: string;
  readonly make: (observer: TeamObserver) => TestTeamOptions;
  /** The events that were stored before the recorded run; without it the run is the team's first. */
  readonly before?: () => Promise<readonly TeamEvent[]>;
  /** Assistants of the team itself that the user sends messages to. */
  readonly messageTargets: readonly string[];
  /** Who is asked by the user while the first calls wait: someone who does not wait. */
  readonly askedBeside?: string;
  /** Its manager chooses by content, so that a message of the user may change who speaks. */
  readonly choosesByContent?: true;
  /** The participants of each nested team, by the nested team's own name. */
  readonly nestedParticipants?: Readonly<Record<string, readonly string[]>>;
}
