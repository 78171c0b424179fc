import type { ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import { teamBusy } from "../../../shared/contract/errors.ts";
import type { ParticipantsChanged } from "../../../shared/contract/participant-change.ts";
import { departedNames } from "../../../shared/state/replaced-participants.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { noteAfterChange } from "../managers/note-after-change.ts";
import type { TeamTree } from "../run/team-tree.ts";
import { closeDeparted } from "./close-departed.ts";

/** Records a change of participants in a team at rest; see `Team.changeParticipants`. */
export function changeParticipants(tree: TeamTree, changed: ParticipantsChanged, by: string): void {
  const { changes, within = [], definition } = changed;
  if (hasRunningCalls(tree.ledger.state)) throw teamBusy(tree.teamId);
  const departed = departedNames(changes);
  const replaced = new Set(changes.flatMap(({ kind, name }) => (kind === "replaced" ? [name] : [])));
  const before = tree.definition.participants;
  const left = definitionAt(tree.definition, within)?.participants.filter(({ name }) => replaced.has(name)) ?? [];
  const staying = mapAt(before, within, (team) => team.filter(({ name }) => !departed.has(name)));
  // A message to one who is replaced waits for the one who comes.
  closeDeparted(
    tree,
    staying,
    mapAt(definition.participants, within, (team) => [...team, ...left]),
  );
  tree.ledger.record({
    type: "participants/changed",
    changes: [...changes],
    ...(within.length === 0 ? {} : { within: [...within] }),
    definition,
    by,
  });
  const team = within.reduce<TeamTree | undefined>((outer, name) => outer?.inner.get(name), tree);
  const next = definitionAt(definition, within);
  if (team === undefined || next === undefined) return;
  const note = noteAfterChange(team.ledger.state.note, { before: team.definition, after: next, changes });
  if (note !== undefined) team.ledger.record({ type: "manager/noted", note });
}

/** A call that the user has let run while others wait: its result is on its way. */
const hasRunningCalls = ({ calls, inner = {} }: TeamState): boolean =>
  calls.some(({ abandoned }) => !abandoned) || Object.values(inner).some(hasRunningCalls);

/** The participants, with those of the team at a path changed. */
function mapAt(
  participants: readonly ParticipantDefinition[],
  [outer, ...rest]: readonly string[],
  change: (team: readonly ParticipantDefinition[]) => ParticipantDefinition[],
): ParticipantDefinition[] {
  if (outer === undefined) return change(participants);
  return participants.map((participant) =>
    participant.name === outer && participant.team !== undefined
      ? {
          ...participant,
          team: { ...participant.team, participants: mapAt(participant.team.participants, rest, change) },
        }
      : participant,
  );
}

/** The definition of the nested team at a path. */
const definitionAt = (definition: TeamDefinition, path: readonly string[]): TeamDefinition | undefined =>
  path.reduce<TeamDefinition | undefined>(
    (team, name) => team?.participants.find((participant) => participant.name === name)?.team,
    definition,
  );
