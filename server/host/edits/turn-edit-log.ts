import { unknownTeam } from "../../../shared/contract/errors.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { type EditLog, type EditOrigin, type FileEdit, type PlannedEdit, UNPLANNED } from "../../tools/index.ts";
import type { EditJournal } from "../store/records/edit-journal.ts";

/** A team with the store's number for it. */
interface KnownTeam {
  readonly key: number;
  readonly state: TeamState;
}

/** Records the edits of tool calls, each under the turn of its call. */
export class TurnEditLog implements EditLog {
  readonly #journal: EditJournal;
  readonly #mayContinue: (error: unknown) => boolean;
  readonly #team: (teamId: string) => Promise<KnownTeam | undefined>;

  /**
   * `team` returns an open or stored root team as it is now; `mayContinue` is true if edits are made although storing them
   * fails with that error.
   */
  constructor(
    journal: EditJournal,
    team: (teamId: string) => Promise<KnownTeam | undefined>,
    mayContinue: (error: unknown) => boolean = () => false,
  ) {
    this.#journal = journal;
    this.#team = team;
    this.#mayContinue = mayContinue;
  }

  /**
   * An edit that cannot be stored is made only if the user has decided to continue without saving; it cannot be undone.
   * @throws GavelError `UnknownTeam` if the team was deleted, `StorageError`.
   */
  async plan(origin: EditOrigin, edit: FileEdit): Promise<PlannedEdit> {
    const { participant, ref } = origin;
    const { key, turnId, seq } = await this.#turnOf(origin);
    try {
      return await this.#journal.add(key, { turnId, participant, ref, seq }, edit);
    } catch (error) {
      if (this.#mayContinue(error)) return UNPLANNED;
      throw error;
    }
  }

  /** A call whose turn has ended, such as an abandoned one, counts as a turn. */
  async #turnOf(origin: EditOrigin): Promise<{ readonly key: number; readonly turnId: string; readonly seq: number }> {
    let found: KnownTeam | undefined;
    for (const teamId of idsOfTeamsAround(origin.teamId)) {
      const team = await this.#team(teamId);
      const turnId = team && openTurn(team.state, origin);
      if (team !== undefined && turnId !== undefined) return { key: team.key, turnId, seq: team.state.lastSeq };
      found ??= team;
    }
    if (found === undefined) throw unknownTeam(origin.teamId);
    return { key: found.key, turnId: origin.ref, seq: found.state.lastSeq };
  }
}

/** A nested team's id is that of the team around it, a slash and a participant's name. Any id may contain slashes. */
export function* idsOfTeamsAround(teamId: string): Generator<string, void> {
  yield teamId;
  for (let at = teamId.lastIndexOf("/"); at > 0; at = teamId.lastIndexOf("/", at - 1)) yield teamId.slice(0, at);
}

/** The participant's open turn, in the team or nested team of the call. */
function openTurn(team: TeamState, origin: EditOrigin): string | undefined {
  if (team.teamId === origin.teamId) {
    return team.openTurns.find(({ participant }) => participant === origin.participant)?.id;
  }
  for (const inner of Object.values(team.inner ?? {})) {
    const found = openTurn(inner, origin);
    if (found !== undefined) return found;
  }
  return undefined;
}
