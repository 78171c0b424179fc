import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { asList, asRecord, asText } from "./unchecked-json.ts";

/** What a definition can refer to outside itself. */
export interface ValidationContext {
  /** The names of the host's tools and of those that the client registered. */
  readonly tools: readonly string[];
  /** True when the host has a model of its own for participants that name none (the setting `gavel.model`). */
  readonly hasDefaultModel: boolean;
  /** Whom the user's messages are from. */
  readonly user: string;
}

/** What the names in one team can refer to. A nested team has a scope of its own. */
export interface DefinitionScope extends ValidationContext {
  /** Who takes part in it. */
  readonly names: readonly string[];
  /** Its models by their keys: its own, or where it has none, those of the team around it. */
  readonly models: JsonRecord;
}

export function scopeOf(team: JsonRecord, around: ValidationContext, outerModels: JsonRecord): DefinitionScope {
  const names = asList(team["participants"]).flatMap((participant) => asText(asRecord(participant)["name"]) ?? []);
  return { ...around, names, models: isRecord(team["models"]) ? team["models"] : outerModels };
}

/** Whether one who names no model gets one: `default`, the only one, or the host's (contract, section 5). */
export function hasFallbackModel({ models, hasDefaultModel }: DefinitionScope): boolean {
  return Object.hasOwn(models, "default") || Object.keys(models).length === 1 || hasDefaultModel;
}

/** The settings of the model that one gets who names `key` or none; an empty record where that is not one of the team's. */
export function modelSettings(key: unknown, { models }: DefinitionScope): JsonRecord {
  const keys = Object.keys(models);
  const name = asText(key) ?? (Object.hasOwn(models, "default") || keys.length !== 1 ? "default" : keys[0]);
  return name !== undefined && Object.hasOwn(models, name) ? asRecord(models[name]) : {};
}
