import { TeamDefinition } from "../../../shared/contract/definition.ts";
import { invalidDefinition } from "../../../shared/contract/errors.ts";
import { ImportReport, parseComponent, withoutUndefined } from "./autogen-component.ts";
import { importTeam } from "./import-team.ts";
import { ImportedModels } from "./imported-models.ts";

/** A team that AutoGen wrote, as one of Gavel's. */
export interface AutoGenTeam {
  readonly definition: TeamDefinition;
  /** One sentence, with its place in the JSON, for everything that was not taken over. */
  readonly leftOut: readonly string[];
}

/** Whether a value is a component as AutoGen's `dump_component` writes it, which no team definition of Gavel's resembles. */
export function isAutoGenComponent(json: unknown): boolean {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return false;
  const { provider, component_type: type, config } = json as Readonly<Record<string, unknown>>;
  return typeof provider === "string" && (typeof type === "string" || (typeof config === "object" && config !== null));
}

/**
 * Reads a team that AutoGen AgentChat (0.4 and later) wrote with `dump_component`. What has no counterpart is left out and
 * told: Python code above all. A key is never taken out of the JSON: the model then names a secret under which it is to be
 * stored.
 * @throws GavelError `InvalidDefinition` for a component that is no team, or that cannot be read; its problems have the
 * paths in the JSON.
 */
export function readAutoGenComponent(json: unknown): AutoGenTeam {
  const reading = new ImportReport();
  const models = new ImportedModels(reading);
  const component = parseComponent(json, "", reading);
  const team = component && importTeam(component, reading, models);
  if (reading.problems.length > 0 || team === undefined) {
    throw invalidDefinition("The AutoGen component", reading.problems);
  }
  const { name, description, kind, participants, ...rest } = team;
  const whole = { name, description, kind, participants, models: models.definitions, ...rest };
  const parsed = TeamDefinition.safeParse(withoutUndefined(whole));
  if (parsed.success) return { definition: parsed.data, leftOut: reading.omitted };
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: "",
    message: `${path.join(".")} of the team made of it: ${message}`,
  }));
  throw invalidDefinition("The AutoGen component", problems);
}
