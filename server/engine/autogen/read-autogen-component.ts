import { TeamDefinition } from "../../../shared/contract/definition.ts";
import { invalidDefinition } from "../../../shared/contract/errors.ts";
import { ImportReport, parseComponent, withoutUndefined } from "./autogen-component.ts";
import { importTeam } from "./import-team.ts";
import { ImportedModels } from "./imported-models.ts";

/** An imported AutoGen team. */
export interface AutoGenTeam {
  readonly definition: TeamDefinition;
  /** One sentence for each part that was not imported, with its path in the JSON. */
  readonly leftOut: readonly string[];
}

/**
 * Imports a team that AutoGen AgentChat (0.4 or later) wrote with `dump_component`. Parts without a counterpart, Python code
 * above all, are omitted and reported. API keys are never imported: the model refers to a secret to store the key under.
 * @throws GavelError `InvalidDefinition` for a component that is not a team or is malformed; its problems have the paths in
 * the JSON.
 */
export function readAutoGenComponent(json: unknown): AutoGenTeam {
  const report = new ImportReport();
  const models = new ImportedModels(report);
  const component = parseComponent(json, "", report);
  const team = component && importTeam(component, report, models);
  if (report.problems.length > 0 || team === undefined) {
    throw invalidDefinition("The AutoGen component", report.problems);
  }
  const { name, description, kind, participants, ...rest } = team;
  const whole = { name, description, kind, participants, models: models.definitions, ...rest };
  const parsed = TeamDefinition.safeParse(withoutUndefined(whole));
  if (parsed.success) return { definition: parsed.data, leftOut: report.omitted };
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: "",
    message: `${path.join(".")} of the imported team: ${message}`,
  }));
  throw invalidDefinition("The AutoGen component", problems);
}
