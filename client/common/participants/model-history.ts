import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { ChosenModel, ModelInfo } from "../../../shared/contract/model-choice.ts";
import type { ParticipantInfo } from "../../../shared/contract/team.ts";
import { ownValue } from "../../../shared/json-record.ts";
import { usesModel } from "../../../shared/state/model-choice.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { chosenInfo, currentModel } from "../model-name.ts";

/** A choice of a model for the participant at the end of `path`, and for all within it; an empty path is the whole team. */
interface Choice {
  readonly at: string;
  readonly path: readonly string[];
  /** For a whole team rather than for a participant of it. */
  readonly isTeam: boolean;
  readonly model: ChosenModel | null;
}

/** A model that answered for the participant at the end of `path` in place of another. */
interface Fallback {
  readonly at: string;
  readonly path: readonly string[];
  readonly model: ModelInfo;
  /** When the participant's next turn began; left out while there is none. */
  readonly until?: string;
}

/** The choices of models among a team's events, in order. */
export interface ModelChoices {
  readonly fallbacks: readonly Fallback[];
  readonly list: readonly Choice[];
  /** False while earlier events are not loaded: what was chosen before them is not known. */
  readonly isComplete: boolean;
}

export function choicesOf(events: readonly DurableEvent[]): ModelChoices {
  const list = events.flatMap((event): Choice[] => {
    if (event.type !== "model/chosen") return [];
    const { at, path = [], participant, model } = event;
    const isTeam = participant === undefined;
    return [{ at, path: isTeam ? path : [...path, participant], isTeam, model }];
  });
  return { list, fallbacks: fallbacksIn(events), isComplete: (events[0]?.seq ?? 1) <= 1 };
}

function fallbacksIn(events: readonly DurableEvent[]): Fallback[] {
  const fallbacks: Fallback[] = [];
  /** Where the last one of each participant is, until its turn is over. */
  const open = new Map<string, number>();
  for (const event of events) {
    const { at, path: above = [] } = event;
    if (event.type === "model/fallback") {
      const path = [...above, event.participant];
      open.set(path.join("/"), fallbacks.push({ at, path, model: event.to }) - 1);
    } else if (event.type === "reasoning/start") {
      const place = [...above, event.from].join("/");
      const last = fallbacks[open.get(place) ?? -1];
      if (last !== undefined) fallbacks.splice(open.get(place) ?? -1, 1, { ...last, until: at });
      open.delete(place);
    }
  }
  return fallbacks;
}

type Team = Pick<TeamState, "models" | "chosenModel" | "participants"> & {
  readonly inner?: Readonly<Record<string, Team>> | undefined;
};

/**
 * The model that a participant had.
 * @param place the path to it, itself included.
 * @param at when.
 * @returns `preset` for the one that is set for all teams; undefined if that is not known, or if it has none.
 */
export function modelAt(
  { list, fallbacks, isComplete }: ModelChoices,
  team: Team,
  place: readonly string[],
  at: string,
): ModelInfo | "preset" | undefined {
  const found = memberAt(team, place);
  if (found === undefined || !usesModel(found.info)) return undefined;
  const instead = insteadAt(fallbacks, place, at);
  if (instead !== undefined) return instead;
  const concerning = list.filter((choice) => concerns(choice, place));
  const before = concerning.filter((choice) => choice.at <= at);
  let ofTeam: ChosenModel | null = null;
  let own: ChosenModel | null = null;
  for (const { path, isTeam, model } of before) {
    if (!isTeam && path.length === place.length) own = model;
    else {
      // Everyone in it loses a choice of their own. A nested team without one has that of the team around it.
      ofTeam = isTeam ? model : (model ?? ofTeam);
      own = null;
    }
  }
  const chosen = chosenInfo(own, found.team) ?? chosenInfo(ofTeam, found.team);
  if (chosen !== undefined) return chosen;
  if (before.length > 0 || isComplete) return found.info.definedModel ?? "preset";
  // Without the earlier events, only the model that was there all the time is known.
  if (concerning.length > 0) return undefined;
  return currentModel(found.info, found.team) ?? "preset";
}

/** The model that answered then in place of another, if one did. */
function insteadAt(fallbacks: readonly Fallback[], place: readonly string[], at: string): ModelInfo | undefined {
  const last = fallbacks.findLast((one) => one.at <= at && isSame(one.path, place));
  return last === undefined || (last.until !== undefined && at >= last.until) ? undefined : last.model;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, level) => name === other[level]);

/** Whether a choice is for the participant at a place, or for a team around it. */
const concerns = ({ path }: Choice, place: readonly string[]): boolean =>
  path.length <= place.length && path.every((name, level) => name === place[level]);

interface Member {
  readonly info: ParticipantInfo;
  readonly team: Team;
}

function memberAt(team: Team, [name, ...rest]: readonly string[]): Member | undefined {
  if (name === undefined) return undefined;
  if (rest.length > 0) {
    const inner = ownValue(team.inner, name);
    return inner === undefined ? undefined : memberAt(inner, rest);
  }
  const info = team.participants.find((participant) => participant.name === name);
  return info === undefined ? undefined : { info, team };
}
