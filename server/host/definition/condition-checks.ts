import type { JsonRecord } from "../../../shared/json-record.ts";
import type { DefinitionScope } from "./definition-scope.ts";
import { unknownNames } from "./name-checks.ts";
import type { Path } from "./path.ts";
import { asList, asRecord, asText } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** Checks a team's termination condition: unknown sources, and budgets that cannot take effect. */
export function checkConditions({ kind, termination }: JsonRecord, scope: DefinitionScope): ValidationProblem[] {
  const manager = kind === "magentic" ? [orchestratorOf(scope.names)] : [];
  const speakers = [...scope.names, ...manager, scope.user, "user"];
  return checkCondition(termination, ["termination"], {
    speakers,
    withinAll: false,
    unpriced: isUnpriced(scope.models),
  });
}

/** The name of the manager of a magentic team. */
const orchestratorOf = (names: readonly string[]): string =>
  names.includes("orchestrator") ? "orchestrator_" : "orchestrator";

interface ConditionContext {
  readonly speakers: readonly string[];
  readonly withinAll: boolean;
  /** True when no model of the team has a price, so that a cost budget is never used up. */
  readonly unpriced: boolean;
}

function checkCondition(value: unknown, path: Path, context: ConditionContext): ValidationProblem[] {
  const condition = asRecord(value);
  return [
    ...checkSources(condition, path, context.speakers),
    ...checkBudget(condition, path, context),
    ...(["any", "all"] as const).flatMap((kind) =>
      asList(condition[kind]).flatMap((inner, at) =>
        checkCondition(inner, [...path, kind, at], { ...context, withinAll: context.withinAll || kind === "all" }),
      ),
    ),
  ];
}

function checkSources(condition: JsonRecord, path: Path, speakers: readonly string[]): ValidationProblem[] {
  const { source } = asRecord(condition["textMessage"]);
  return [
    ...["textMention", "sourceMatch"].flatMap((kind) =>
      unknownNames(asList(asRecord(condition[kind])["sources"]), [...path, kind, "sources"], speakers),
    ),
    ...unknownNames(asText(source), [...path, "textMessage", "source"], speakers),
  ];
}

/** A budget pauses the run and is granted again, so it cannot be one of several conditions that must all be true. */
function checkBudget(
  { budget }: JsonRecord,
  path: Path,
  { withinAll, unpriced }: ConditionContext,
): ValidationProblem[] {
  if (budget === undefined) return [];
  const problems: ValidationProblem[] = [];
  if (withinAll) {
    const message = "a budget cannot be part of `all`: it pauses the run by itself; move it to `any`, or use it alone";
    problems.push({ path: [...path, "budget"], on: "key", message });
  }
  if (unpriced && asRecord(budget)["cost"] !== undefined) {
    const message = "no model of the team has a `price`, so costs cannot be counted; add one to the models";
    problems.push({ path: [...path, "budget", "cost"], on: "key", message });
  }
  return problems;
}

/** True when there are models behind endpoints and none has a price. A practice model is known to cost nothing. */
export function isUnpriced(models: JsonRecord): boolean {
  const behindEndpoints = Object.values(models)
    .map(asRecord)
    .filter(({ provider }) => provider !== "practice");
  return behindEndpoints.length > 0 && behindEndpoints.every(({ price }) => price === undefined);
}
