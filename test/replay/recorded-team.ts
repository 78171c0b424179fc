import type { TestTeamOptions } from "../../server/engine/testing/test-team.ts";
import type { Watch } from "./watch.ts";

/** A team whose run is recorded and replayed. Its models answer from what they are shown. */
export interface RecordedTeam {
  readonly name: string;
  readonly make: (watch: Watch) => TestTeamOptions;
  /** Assistants of the team itself, to whom the user speaks. */
  readonly asked: readonly string[];
  /** Its manager goes by what is said, so that a message of the user may change who speaks. */
  readonly heedsTalk?: true;
  /** The participants of nested teams, by the participant that the nested team is. */
  readonly within?: Readonly<Record<string, readonly string[]>>;
}
