import { computed } from "@preact/signals";
import type { ModelInfo } from "../../../shared/contract/model-choice.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { modelName } from "../../common/model-name.ts";
import { choicesOf, type ModelChoices, modelAt } from "../../common/participants/model-history.ts";
import { firstSeq, lastSeq } from "../../common/timeline/timeline.ts";
import { offeredModels, presetModel, team, timeline } from "./page-state.ts";

/** What models are told from; the same object while a change concerns none, so that no row is rendered again. */
interface Known {
  readonly team: TeamState;
  readonly choices: ModelChoices;
}

let known: Known | null = null;
let seen = "";
let parts = "";

const facts = computed((): Known | null => {
  const now = team.value;
  if (now === null) return null;
  const { events } = timeline.value;
  const reach = `${now.teamId} ${firstSeq(timeline.value)} ${lastSeq(timeline.value)}`;
  // Chunks are no durable events.
  if (known !== null && reach === seen) return known;
  seen = reach;
  const choices = choicesOf(events);
  const text = JSON.stringify([choices, membersOf(now)]);
  if (known === null || text !== parts) known = { team: now, choices };
  parts = text;
  return known;
});

/** What {@link modelAt} needs of a team. */
const membersOf = ({ participants, models, chosenModel, inner = {} }: TeamState): unknown => [
  models,
  chosenModel,
  participants.map(({ name, kind, definedModel, chosenModel: own }) => [name, kind, definedModel, own]),
  Object.entries(inner).map(([name, within]) => [name, membersOf(within)]),
];

/** A row of a loaded state has the key of that event before its own: this team's events do not tell its model. */
const isLoaded = (key: string): boolean => /^e\d+-(?!text$)/.test(key);

/** The model that wrote an item, in a sentence; empty if none did, or if it is not known. */
export function modelSentence(
  item: { readonly key: string; readonly at: string; readonly model?: ModelInfo },
  source: string,
  path: readonly string[],
): string {
  if (item.model !== undefined) return `Model: ${modelName(item.model, offeredModels.value)}`;
  if (facts.value === null || isLoaded(item.key)) return "";
  const model = modelAt(facts.value.choices, facts.value.team, [...path, source], item.at);
  if (model === undefined) return "";
  if (model !== "preset") return `Model: ${modelName(model, offeredModels.value)}`;
  const now = presetModel.value;
  return now === undefined ? "" : `Model: the one set for all teams, now ${now}`;
}
