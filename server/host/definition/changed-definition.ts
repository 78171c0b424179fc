import type { GraphEdge, ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import { invalidParams, unknownParticipant } from "../../../shared/contract/errors.ts";
import type { ParamsOf } from "../../../shared/contract/message-type.ts";
import type { ParticipantChange } from "../../../shared/contract/participant-change.ts";
import { TeamChangeParticipants } from "../../../shared/contract/requests.ts";
import { withNewName, withoutName } from "./changed-references.ts";
import { asRecord, asText } from "./unchecked-json.ts";

/** What a client wants changed. Participants that it gives are not checked yet. */
type WantedParticipants = Omit<ParamsOf<typeof TeamChangeParticipants>, "teamId">;

/** A definition after a change, which is to be checked, and what became of each participant. */
interface ChangedDefinition {
  readonly definition: unknown;
  readonly changes: ParticipantChange[];
  readonly within?: string[];
}

/**
 * The definition with other participants. What else names one who leaves is changed too where its meaning is clear: handoffs
 * to it, rules that select it, and what others may do to it are taken out, and everything names one that replaces it.
 * @throws GavelError `UnknownParticipant`, or `InvalidParams` for a path that leads to no nested team.
 */
export function changedDefinition(
  definition: TeamDefinition,
  { within = [], changes: wanted, edges }: WantedParticipants,
): ChangedDefinition {
  const changes: ParticipantChange[] = [];
  const change = (team: TeamDefinition): TeamDefinition => {
    const changed = wanted.reduce((before, one) => applied(before, one, changes), team);
    return edges === undefined ? changed : withEdges(changed, edges);
  };
  return {
    definition: changedAt(definition, within, change, within),
    changes: condensed(changes),
    ...(within.length === 0 ? {} : { within }),
  };
}

function changedAt(
  team: TeamDefinition,
  [outer, ...rest]: readonly string[],
  change: (team: TeamDefinition) => TeamDefinition,
  path: readonly string[],
): TeamDefinition {
  if (outer === undefined) return change(team);
  const nested = team.participants.find(({ name }) => name === outer)?.team;
  if (nested === undefined) {
    const message = `there is no nested team ${path.join("/")}; name the participants that lead to one`;
    throw invalidParams(TeamChangeParticipants.method, [{ path: "within", message }]);
  }
  const inner = changedAt(nested, rest, change, path);
  return {
    ...team,
    participants: team.participants.map((one) => (one.name === outer ? { ...one, team: inner } : one)),
  };
}

type Wanted = WantedParticipants["changes"][number];

function applied(team: TeamDefinition, wanted: Wanted, changes: ParticipantChange[]): TeamDefinition {
  const { participants } = team;
  if ("remove" in wanted) {
    const name = wanted.remove;
    placeOf(team, name);
    changes.push({ kind: "removed", name });
    const others = { ...team, participants: participants.filter((one) => one.name !== name) };
    return withoutName(wanted.bridge === true ? bridged(others, name) : others, name);
  }
  if ("replace" in wanted) {
    const { replace: name, with: given } = wanted;
    const at = placeOf(team, name);
    const by = nameIn(given) ?? name;
    changes.push({ kind: "replaced", name, by });
    const next = { ...team, participants: participants.with(at, named(given, by)) };
    return by === name ? next : withNewName(next, name, by);
  }
  const { add: given, at = participants.length, after = [], before = [] } = wanted;
  const name = nameIn(given) ?? "";
  changes.push({ kind: "added", name });
  const next = { ...team, participants: participants.toSpliced(at, 0, named(given)) };
  if (after.length + before.length === 0) return next;
  const edges = [...after.map((from) => ({ from, to: name })), ...before.map((to) => ({ from: name, to }))];
  return withEdges(next, [...(team.graph?.edges ?? []), ...edges]);
}

/** One that was added and then removed, or replaced twice, changed once or not at all. */
function condensed(changes: readonly ParticipantChange[]): ParticipantChange[] {
  const result: ParticipantChange[] = [];
  for (const change of changes) {
    const before =
      change.kind === "added"
        ? -1
        : result.findIndex(
            (one) => (one.kind === "replaced" ? one.by : one.kind === "added" && one.name) === change.name,
          );
    const earlier = result[before];
    if (earlier === undefined || change.kind === "added") result.push(change);
    else if (change.kind === "removed") {
      result.splice(before, 1);
      if (earlier.kind === "replaced") result.push({ kind: "removed", name: earlier.name });
    } else {
      result[before] =
        earlier.kind === "added"
          ? { kind: "added", name: change.by }
          : { kind: "replaced", name: earlier.name, by: change.by };
    }
  }
  return result;
}

/** @throws GavelError `UnknownParticipant`. */
function placeOf({ participants }: TeamDefinition, name: string): number {
  const at = participants.findIndex((one) => one.name === name);
  if (at === -1)
    throw unknownParticipant(
      name,
      participants.map((one) => one.name),
    );
  return at;
}

const nameIn = (given: unknown): string | undefined => asText(asRecord(given)["name"]);

/** What a client gives is checked with the whole definition. */
const named = (given: unknown, name = nameIn(given)): ParticipantDefinition =>
  (typeof given === "object" ? { ...given, ...(name === undefined ? {} : { name }) } : given) as ParticipantDefinition;

/** The graph with edges that lead past a participant, in place of those to and from it. */
function bridged(team: TeamDefinition, name: string): TeamDefinition {
  const edges = team.graph?.edges;
  if (edges === undefined) return team;
  const others = edges.filter(({ from, to }) => from !== name && to !== name);
  const after = edges.filter(({ from, to }) => from === name && to !== name);
  const past = edges.flatMap(({ from, to, when }) =>
    to !== name || from === name
      ? []
      : after.flatMap((edge) =>
          edge.to === from ? [] : [{ from, to: edge.to, ...(when === undefined ? {} : { when }) }],
        ),
  );
  const isNew = ({ from, to }: GraphEdge): boolean => !others.some((edge) => edge.from === from && edge.to === to);
  return withEdges(team, [...others, ...past.filter(isNew)]);
}

const withEdges = (team: TeamDefinition, edges: readonly GraphEdge[]): TeamDefinition => ({
  ...team,
  graph: { ...team.graph, edges: [...edges] },
});
