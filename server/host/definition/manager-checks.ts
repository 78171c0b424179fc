import type { JsonRecord } from "../../../shared/json-record.ts";
import { type DefinitionScope, hasFallbackModel } from "./definition-scope.ts";
import { unknownNames } from "./name-checks.ts";
import { howToSetModel, unknownModel } from "./reference-checks.ts";
import { asList, asRecord } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** The team kinds with their own settings, under a key of the same name. */
export const KINDS_WITH_SETTINGS = ["selector", "graph", "magentic"] as const;

/** Checks how speakers are selected: settings of another team kind, unknown models, and unknown names in rules. */
export function checkManager(team: JsonRecord, scope: DefinitionScope): ValidationProblem[] {
  return [...checkForeignSettings(team), ...checkModel(team, scope), ...checkSelectorRules(team, scope)];
}

function checkForeignSettings(team: JsonRecord): ValidationProblem[] {
  const { kind } = team;
  return KINDS_WITH_SETTINGS.flatMap((settings): ValidationProblem[] => {
    if (typeof kind !== "string" || kind === settings || team[settings] === undefined) return [];
    const message = `is only for teams of kind ${settings}; remove it, or set kind: ${settings}`;
    return [{ path: [settings], on: "key", message }];
  });
}

/** A selector and a Magentic orchestrator need a model, except a selector whose rules may always leave one name. */
function checkModel(team: JsonRecord, scope: DefinitionScope): ValidationProblem[] {
  const { kind } = team;
  if (kind !== "selector" && kind !== "magentic") return [];
  const { model, rules } = asRecord(team[kind]);
  if (typeof model === "string") {
    return Object.hasOwn(scope.models, model)
      ? []
      : [{ path: [kind, "model"], message: unknownModel(model, scope.models) }];
  }
  const mayNeedNone = kind === "selector" && asList(rules).length > 0 && Object.keys(scope.models).length > 0;
  if (model !== undefined || mayNeedNone || hasFallbackModel(scope)) return [];
  const who = kind === "selector" ? "the selector" : "the orchestrator";
  return [{ path: ["kind"], message: `${who} has no model; ${howToSetModel(scope.models, ` in ${kind}.model`)}` }];
}

function checkSelectorRules(team: JsonRecord, { names, user }: DefinitionScope): ValidationProblem[] {
  return asList(asRecord(team["selector"])["rules"]).flatMap((rule, at) => {
    const { after, choose } = asRecord(rule);
    const path = ["selector", "rules", at];
    return [
      ...unknownNames(after, [...path, "after"], [...names, user, "user"]),
      ...unknownNames(choose, [...path, "choose"], names),
    ];
  });
}
