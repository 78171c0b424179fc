import type { ModelDefinition, ParticipantDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import { ownValue } from "../../shared/json-record.ts";

/**
 * The model of a participant: the one it names in the team's `models`, else `default`, else the only one, else `fallback`
 * (the host's setting). Returns a string that says why if there is none.
 */
export function modelFor(
  participant: ParticipantDefinition,
  team: TeamDefinition,
  fallback: ModelDefinition | undefined,
): ModelDefinition | string {
  const models = team.models ?? {};
  const keys = Object.keys(models);
  if (participant.model !== undefined) {
    const listed = keys.length === 0 ? "the team has none" : `the team has ${keys.join(", ")}`;
    return ownValue(models, participant.model) ?? `there is no model "${participant.model}" in models; ${listed}`;
  }
  const [only] = keys.length === 1 ? keys : [];
  const model = models["default"] ?? (only === undefined ? undefined : models[only]) ?? fallback;
  return (
    model ?? `${participant.name} has no model; add models.default to the team, or set gavel.model in the settings`
  );
}
