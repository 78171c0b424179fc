import type { Fault } from "./fault.ts";
import { nobody, suggestion } from "./nearest.ts";
import { type JsonRecord, listOf, recordOf, textOf } from "./raw.ts";

/** References to nobody in what says who speaks after whom: handoffs, the graph's edges, the selector. */
export function flowFaults(team: JsonRecord, names: readonly string[], models: readonly string[]): Fault[] {
  return [...handoffFaults(team, names), ...edgeFaults(team, names), ...selectorFaults(team, models)];
}

function handoffFaults(team: JsonRecord, names: readonly string[]): Fault[] {
  const targets = [...names, ...handoffTargets(team["termination"])];
  return listOf(team["participants"]).flatMap((participant, at) =>
    listOf(recordOf(participant)["handoffs"]).flatMap((target, index): Fault[] =>
      typeof target !== "string" || targets.includes(target)
        ? []
        : [{ path: ["participants", at, "handoffs", index], message: nobody(target, targets) }],
    ),
  );
}

/** A handoff may leave the team where a condition stops on it (behaviours, 7). */
function handoffTargets(value: unknown): string[] {
  const condition = recordOf(value);
  const inner = [...listOf(condition["any"]), ...listOf(condition["all"])].flatMap(handoffTargets);
  const target = textOf(recordOf(condition["handoff"])["target"]);
  return target === undefined ? inner : [...inner, target];
}

function edgeFaults(team: JsonRecord, names: readonly string[]): Fault[] {
  return listOf(recordOf(team["graph"])["edges"]).flatMap((edge, at) =>
    ["from", "to"].flatMap((end): Fault[] => {
      const name = recordOf(edge)[end];
      return typeof name !== "string" || names.includes(name)
        ? []
        : [{ path: ["graph", "edges", at, end], message: nobody(name, names) }];
    }),
  );
}

function selectorFaults(team: JsonRecord, models: readonly string[]): Fault[] {
  const model = recordOf(team["selector"])["model"];
  if (typeof model !== "string" || models.includes(model)) return [];
  const hint = suggestion(model, models, "keys of models");
  return [{ path: ["selector", "model"], message: `there is no model "${model}" in models; ${hint}` }];
}
