import type { TeamDefinition } from "../contract/definition.ts";
import type { ParticipantChange, ParticipantsChanged } from "../contract/participant-change.ts";
import type { ParticipantInfo, QueuedMessage } from "../contract/team.ts";
import { ownValue } from "../json-record.ts";
import { withTeamModel } from "./chosen-models.ts";
import { departedNames, replacedNames } from "./replaced-participants.ts";
import { initialTeamState, type TeamState } from "./team-state.ts";

/** The changes of the team that a path leads to; none elsewhere. */
interface Changes {
  readonly list: readonly ParticipantChange[];
  readonly within: readonly string[];
}

const NONE: Changes = { list: [], within: [] };

/** The team after a change of its participants, or of those of a nested team. */
export function withChangedParticipants(state: TeamState, changed: ParticipantsChanged): TeamState {
  const { definition, changes: list, within = [] } = changed;
  const { queued, ...next } = redefined(state, initialTeamState(state.teamId, definition, state.uri), { list, within });
  return { ...next, queued: queued.map((message) => redirected(message, list, within)), definition };
}

/** The team with another definition: whoever has the same name and kind in it is the same participant. */
export const withDefinition = (state: TeamState, definition: TeamDefinition): TeamState =>
  withChangedParticipants(state, { changes: [], definition });

/** A message to a participant that was replaced goes to the one that is there in its place. */
function redirected(
  message: QueuedMessage,
  changes: readonly ParticipantChange[],
  within: readonly string[],
): QueuedMessage {
  const { to } = message;
  if (to === undefined) return message;
  for (const [name, by] of replacedNames(changes)) {
    const before = [...within, name].join("/");
    if (to === before || to.startsWith(`${before}/`))
      return { ...message, to: `${[...within, by].join("/")}${to.slice(before.length)}` };
  }
  return message;
}

/** @param fresh the state of a new team with the new definition */
function redefined(state: TeamState, fresh: TeamState, { list, within }: Changes): TeamState {
  const changes = within.length === 0 ? list : [];
  const departed = departedNames(changes);
  const replaced = replacedNames(changes);
  const {
    lastSpeaker,
    selected,
    handoffTo,
    handoffFrom,
    unanswered,
    due,
    models,
    description,
    inner,
    former: _,
    ...kept
  } = state;
  const stays = ({ name, kind }: ParticipantInfo): boolean =>
    !departed.has(name) && fresh.participants.some((one) => one.name === name && one.kind === kind);
  const isThere = (name: string): boolean => fresh.participants.some((one) => one.name === name);
  /** The name that somebody has now; undefined for one who is not there any more. Others are not in the team at all. */
  const nameNow = (name: string): string | undefined => {
    if (!state.participants.some((one) => one.name === name)) return name;
    const now = replaced.get(name) ?? name;
    return isThere(now) && (replaced.has(name) || !departed.has(name)) ? now : undefined;
  };
  const to = handoffTo === undefined ? undefined : (nameNow(handoffTo) ?? nameNow(handoffFrom ?? ""));
  const from = handoffFrom === undefined ? undefined : nameNow(handoffFrom);
  const answerer = unanswered === undefined ? undefined : nameNow(unanswered.participant);
  const stillDue = due?.filter((message) => !departed.has(message.to) && nameNow(message.to) !== undefined);
  const former = formerNames(state, fresh);
  const nested = Object.entries(fresh.inner ?? {}).map(([name, team]): [string, TeamState] => {
    const before = departed.has(name) ? undefined : ownValue(inner, name);
    if (before === undefined) return [name, withTeamModel(team, state.chosenModel ?? null)];
    return [name, redefined(before, team, within[0] === name ? { list, within: within.slice(1) } : NONE)];
  });
  return {
    ...kept,
    name: fresh.name,
    kind: fresh.kind,
    ...(fresh.description === undefined ? {} : { description: fresh.description }),
    ...(fresh.models === undefined ? {} : { models: fresh.models }),
    participants: fresh.participants.map((info) => {
      const same = state.participants.find((one) => one.name === info.name && one.kind === info.kind);
      const before = changes.find((change) => change.kind === "replaced" && change.by === info.name)?.name;
      const { turns } = state.participants.find((one) => one.name === before) ?? {};
      return {
        ...info,
        ...(same === undefined ? {} : keptOf(same, stays(same))),
        // It has the place of the one before, also in the order of speakers.
        ...(turns === undefined ? {} : { turns }),
      };
    }),
    lastSpeaker: lastSpeaker === null ? null : lastSpeakerNow(state, lastSpeaker, nameNow),
    selected: { ...selected, participants: selected.participants.flatMap((name) => nameNow(name) ?? []) },
    ...(to === undefined ? {} : { handoffTo: to }),
    ...(from === undefined || to === undefined ? {} : { handoffFrom: from }),
    ...(unanswered === undefined || answerer !== unanswered.participant || departed.has(answerer)
      ? {}
      : { unanswered }),
    ...(stillDue === undefined || stillDue.length === 0 ? {} : { due: stillDue }),
    ...(former.length === 0 ? {} : { former }),
    ...(nested.length === 0 ? {} : { inner: Object.fromEntries(nested) }),
  };
}

/** Who has left, now or before, and is not back: what they said is not the user's. */
function formerNames({ participants, former = [] }: TeamState, fresh: TeamState): string[] {
  const left = [...former, ...participants.flatMap(({ name, kind }) => (kind === "user" ? [] : [name]))];
  return [...new Set(left)].filter((name) => !fresh.participants.some((one) => one.name === name));
}

/** What is kept of a participant; of one that another has replaced under its name, only what the name has used. */
function keptOf(info: ParticipantInfo, stays: boolean): Partial<ParticipantInfo> {
  const { usage, activity, lastLine, turns, chosenModel } = info;
  const used = usage === undefined ? {} : { usage };
  if (!stays) return used;
  return {
    ...used,
    activity,
    ...(lastLine === undefined ? {} : { lastLine }),
    ...(turns === undefined ? {} : { turns }),
    ...(chosenModel === undefined ? {} : { chosenModel }),
  };
}

/** Who counts as the last speaker, so that after one who has left the next in order speaks. */
function lastSpeakerNow(
  { participants }: TeamState,
  last: string,
  nameNow: (name: string) => string | undefined,
): string | null {
  const at = participants.findIndex(({ name }) => name === last);
  if (at === -1) return last;
  for (const { name } of participants.slice(0, at + 1).reverse()) {
    const now = nameNow(name);
    if (now !== undefined) return now;
  }
  return null;
}
