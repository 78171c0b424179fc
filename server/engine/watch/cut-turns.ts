import { type TeamTree, teamsIn } from "../run/team-tree.ts";
import type { Team } from "../team/team.ts";
import type { StartedTurn, WatchedCall } from "./stopped-turns.ts";

/** The turns that an interrupt had cut short when a team was opened. A rule that they matched had stopped them. */
export class CutTurns {
  readonly #team: Team;
  readonly #cut: ReadonlySet<string>;

  constructor(team: Team) {
    this.#team = team;
    this.#cut = new Set(
      [...teamsIn(team.tree)].flatMap(({ team: { ledger }, path }) =>
        ledger.state.interrupted ? ledger.state.selected.participants.map((name) => keyOf(path, name)) : [],
      ),
    );
  }

  /** The calls of the turn that this one continues, if it was cut short then. */
  callsBefore({ id, from, path = [] }: StartedTurn): readonly WatchedCall[] | undefined {
    if (!this.#cut.has(keyOf(path, from))) return undefined;
    const tree = path.reduce<TeamTree | undefined>((team, name) => team?.inner.get(name), this.#team.tree);
    return tree?.transcript.stepsOf(from, id).flatMap(({ calls }) => calls);
  }
}

const keyOf = (path: readonly string[], name: string): string => [...path, name].join("/");
