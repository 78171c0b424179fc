import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { asList, asRecord, asText } from "./unchecked-json.ts";

/** What a definition can refer to outside itself. */
export interface ValidationContext {
  /** The names of the built-in tools and of the tools that the client registered. */
  readonly tools: readonly string[];
  /** Those of them that a definition may declare as tools of its client. */
  readonly replaceable?: readonly string[];
  /** The tools of the editor's extensions; none without an editor. */
  readonly extensionTools?: {
    readonly names: readonly string[];
    readonly refused: ReadonlyMap<string, string>;
    description(name: string): string | undefined;
  };
  /** The names of the MCP servers that are not the team's own. */
  readonly servers?: readonly string[];
  /** The tools that MCP servers had when they last ran, as `server/tool`; of a server that never ran none is known. */
  readonly serverTools?: readonly { readonly name: string; readonly description: string }[];
  /** True when the setting `gavel.model` gives a model to participants without one. */
  readonly hasDefaultModel: boolean;
  /** The sender of the user's messages. */
  readonly user: string;
}

/** What the names in one team can refer to. A nested team has its own scope. */
export interface DefinitionScope extends ValidationContext {
  /** The names of its participants. */
  readonly names: readonly string[];
  /** Its models by key: its own, or if it has none, those of the team around it. */
  readonly models: JsonRecord;
}

export function scopeOf(team: JsonRecord, around: ValidationContext, outerModels: JsonRecord): DefinitionScope {
  const names = asList(team["participants"]).flatMap((participant) => asText(asRecord(participant)["name"]) ?? []);
  const servers = [...(around.servers ?? []), ...Object.keys(asRecord(team["mcpServers"]))];
  return { ...around, names, servers, models: isRecord(team["models"]) ? team["models"] : outerModels };
}

/** Whether a participant that names no model has one: `default`, the only one, or the setting `gavel.model`. */
export function hasFallbackModel({ models, hasDefaultModel }: DefinitionScope): boolean {
  return Object.hasOwn(models, "default") || Object.keys(models).length === 1 || hasDefaultModel;
}

/**
 * The settings of the model that a participant with this `model` key uses; an empty record if it is not one of the team's.
 */
export function modelSettings(key: unknown, { models }: DefinitionScope): JsonRecord {
  const keys = Object.keys(models);
  const name = asText(key) ?? (Object.hasOwn(models, "default") || keys.length !== 1 ? "default" : keys[0]);
  return name !== undefined && Object.hasOwn(models, name) ? asRecord(models[name]) : {};
}
