import type { JsonRecord } from "../../../shared/json-record.ts";
import type { Fault } from "./fault.ts";
import { nobody } from "./nearest.ts";
import type { Path } from "./path.ts";
import { listOf, recordOf } from "./raw.ts";
import type { Scope } from "./scope.ts";

/** What is wrong with a team's termination condition: sources that nobody is, and a budget where it can not do what it promises. */
export function conditionFaults({ kind, termination }: JsonRecord, scope: Scope): Fault[] {
  const manager = kind === "magentic" ? [orchestratorOf(scope.names)] : [];
  const speakers = [...scope.names, ...manager, scope.user, "user"];
  return faultsIn(termination, ["termination"], {
    speakers,
    withinAll: false,
    unpriced: isUnpriced(scope.models),
  });
}

/** Under which name the manager of a magentic team speaks. */
const orchestratorOf = (names: readonly string[]): string =>
  names.includes("orchestrator") ? "orchestrator_" : "orchestrator";

interface Place {
  readonly speakers: readonly string[];
  readonly withinAll: boolean;
  /** True when the team's models tell no cost, so that a budget of it is never used up. */
  readonly unpriced: boolean;
}

function faultsIn(value: unknown, path: Path, place: Place): Fault[] {
  const condition = recordOf(value);
  return [
    ...sourceFaults(condition, path, place.speakers),
    ...budgetFaults(condition, path, place),
    ...(["any", "all"] as const).flatMap((kind) =>
      listOf(condition[kind]).flatMap((inner, at) =>
        faultsIn(inner, [...path, kind, at], { ...place, withinAll: place.withinAll || kind === "all" }),
      ),
    ),
  ];
}

function sourceFaults(condition: JsonRecord, path: Path, speakers: readonly string[]): Fault[] {
  const sourced = ["textMention", "sourceMatch"].flatMap((kind) =>
    listOf(recordOf(condition[kind])["sources"]).map((name, at) => ({ name, at: [...path, kind, "sources", at] })),
  );
  const source = { name: recordOf(condition["textMessage"])["source"], at: [...path, "textMessage", "source"] };
  return [...sourced, source].flatMap(({ name, at }): Fault[] =>
    typeof name !== "string" || speakers.includes(name) ? [] : [{ path: at, message: nobody(name, speakers) }],
  );
}

/** A budget pauses the run and is granted anew, so it can not be one of several that must all have come true. */
function budgetFaults({ budget }: JsonRecord, path: Path, { withinAll, unpriced }: Place): Fault[] {
  if (budget === undefined) return [];
  const faults: Fault[] = [];
  if (withinAll) {
    const message = "a budget stands alone or in `any`: it pauses the run by itself; take it out of `all`";
    faults.push({ path: [...path, "budget"], on: "key", message });
  }
  if (unpriced && recordOf(budget)["cost"] !== undefined) {
    const message = "no model of the team has a `price`, so nothing is counted here; give the models one";
    faults.push({ path: [...path, "budget", "cost"], on: "key", message });
  }
  return faults;
}

/** True of models behind an endpoint none of which has a price. A practice model costs nothing, and says so by its nature. */
export function isUnpriced(models: JsonRecord): boolean {
  const behindEndpoints = Object.values(models)
    .map(recordOf)
    .filter(({ provider }) => provider !== "practice");
  return behindEndpoints.length > 0 && behindEndpoints.every(({ price }) => price === undefined);
}
