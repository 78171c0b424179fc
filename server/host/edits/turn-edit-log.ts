import { unknownTeam } from "../../../shared/contract/errors.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { EditLog, EditOrigin, FileEdit, PlannedEdit } from "../../tools/index.ts";
import type { EditJournal } from "../store/edit-journal.ts";

/** A team that a call may be from, with the store's number for it. */
interface KnownTeam {
  readonly key: number;
  readonly state: TeamState;
}

/** Writes down the edits of calls, each with the turn that its call is made in. */
export class TurnEditLog implements EditLog {
  readonly #journal: EditJournal;
  readonly #team: (teamId: string) => KnownTeam | undefined;

  /** `team` gives an open or stored team as it is now, nested ones aside. */
  constructor(journal: EditJournal, team: (teamId: string) => KnownTeam | undefined) {
    this.#journal = journal;
    this.#team = team;
  }

  /** @throws GavelError `UnknownTeam` for a call of a team that is gone, `StorageError`. */
  plan(origin: EditOrigin, edit: FileEdit): PlannedEdit {
    const { participant, ref } = origin;
    const { key, turnId } = this.#turnOf(origin);
    return this.#journal.add(key, { turnId, participant, ref }, edit);
  }

  /** A call whose turn is over, as of a tool that was abandoned, is a turn of its own. */
  #turnOf(origin: EditOrigin): { readonly key: number; readonly turnId: string } {
    let found: KnownTeam | undefined;
    for (const teamId of idsOfTeamsAround(origin.teamId)) {
      const team = this.#team(teamId);
      const turnId = team && openTurn(team.state, origin);
      if (team !== undefined && turnId !== undefined) return { key: team.key, turnId };
      found ??= team;
    }
    if (found === undefined) throw unknownTeam(origin.teamId);
    return { key: found.key, turnId: origin.ref };
  }
}

/** A nested team's id is that of the team around it, a slash and a participant's name; any id may hold slashes. */
function* idsOfTeamsAround(teamId: string): Generator<string, void> {
  yield teamId;
  for (let at = teamId.lastIndexOf("/"); at > 0; at = teamId.lastIndexOf("/", at - 1)) yield teamId.slice(0, at);
}

/** The participant's open turn, in the team or in the nested one that the call is from. */
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
