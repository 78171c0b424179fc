import type { JsonRecord } from "../../../shared/json-record.ts";
import type { Fault } from "./fault.ts";
import { nobody } from "./nearest.ts";
import type { Path } from "./path.ts";
import { listOf, recordOf } from "./raw.ts";
import { modelMend, noSuchModel } from "./references.ts";
import { hasModelForAll, type Scope } from "./scope.ts";

/** The kinds of team that have settings of their own, under a key of the same name. */
export const KINDS_WITH_SETTINGS = ["selector", "graph", "magentic"] as const;

/** What is wrong with who says who speaks next: settings of another kind, a model that is not there, rules that name nobody. */
export function managerFaults(team: JsonRecord, scope: Scope): Fault[] {
  return [...strangeSettings(team), ...modelFaults(team, scope), ...ruleFaults(team, scope)];
}

function strangeSettings(team: JsonRecord): Fault[] {
  const { kind } = team;
  return KINDS_WITH_SETTINGS.flatMap((settings): Fault[] => {
    if (typeof kind !== "string" || kind === settings || team[settings] === undefined) return [];
    const message = `is for teams of the kind ${settings}; leave it out, or write kind: ${settings}`;
    return [{ path: [settings], on: "key", message }];
  });
}

/** A selector and Magentic's orchestrator ask a model; a selector whose rules leave one name asks none. */
function modelFaults(team: JsonRecord, scope: Scope): Fault[] {
  const { kind } = team;
  if (kind !== "selector" && kind !== "magentic") return [];
  const { model, rules } = recordOf(team[kind]);
  if (typeof model === "string") {
    return Object.hasOwn(scope.models, model)
      ? []
      : [{ path: [kind, "model"], message: noSuchModel(model, scope.models) }];
  }
  const mayNeedNone = kind === "selector" && listOf(rules).length > 0 && Object.keys(scope.models).length > 0;
  if (model !== undefined || mayNeedNone || hasModelForAll(scope)) return [];
  const who = kind === "selector" ? "the selector" : "the orchestrator";
  return [{ path: ["kind"], message: `${who} has no model; ${modelMend(scope.models, ` in ${kind}.model`)}` }];
}

function ruleFaults(team: JsonRecord, { names, user }: Scope): Fault[] {
  return listOf(recordOf(team["selector"])["rules"]).flatMap((rule, at) => {
    const { after, choose } = recordOf(rule);
    const path = ["selector", "rules", at];
    return [
      ...strangers(after, [...path, "after"], [...names, user, "user"]),
      ...strangers(choose, [...path, "choose"], names),
    ];
  });
}

function strangers(value: unknown, path: Path, known: readonly string[]): Fault[] {
  const written = typeof value === "string" ? [{ name: value, at: path }] : listed(value, path);
  return written.flatMap(({ name, at }): Fault[] =>
    typeof name !== "string" || known.includes(name) ? [] : [{ path: at, message: nobody(name, known) }],
  );
}

const listed = (list: unknown, path: Path) => listOf(list).map((name, at) => ({ name, at: [...path, at] }));
