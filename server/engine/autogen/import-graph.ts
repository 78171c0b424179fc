import type { GraphEdge, TeamDefinition } from "../../../shared/contract/definition.ts";
import { type ComponentConfig, type ImportReport, type LocatedValue, withoutUndefined } from "./autogen-component.ts";

type Graph = NonNullable<TeamDefinition["graph"]>;

/** An edge with what AutoGen says of how its target is activated: edges of one group are waited for together. */
interface Edge extends Pick<GraphEdge, "from" | "to" | "when"> {
  readonly group: string;
  readonly join: "all" | "any";
  readonly place: string;
}

/**
 * A DiGraph as edges. `names` are the team's participants: one that is no node never speaks in AutoGen, so that who begins
 * is written out.
 */
export function importGraph(graph: ComponentConfig, names: readonly string[], reading: ImportReport): Graph {
  const nodes = graph.map("nodes");
  const edges = Object.entries(nodes).flatMap(([name, placed]) => edgesOf(name, placed, graph));
  const start = graph.text("default_start_node");
  graph.omitUnused();
  const idle = names.filter((name) => !Object.hasOwn(nodes, name));
  for (const name of idle) reading.omit(graph.pathOf("nodes"), `${name} is no node of the graph, and so never speaks`);
  const targets = new Set(edges.map(({ to }) => to));
  const begin = start ?? (idle.length > 0 ? Object.keys(nodes).filter((name) => !targets.has(name)) : undefined);
  return withoutUndefined({ edges: joined(edges, reading), entry: begin });
}

function edgesOf(name: string, placed: LocatedValue, graph: ComponentConfig): Edge[] {
  const node = graph.nested(placed);
  if (node === undefined) return [];
  const edges = node.list("edges").flatMap((item): Edge[] => {
    const edge = node.nested(item);
    const to = edge?.requiredText("target");
    if (edge === undefined || to === undefined) return [];
    const when = edge.text("condition");
    const join = edge.text("activation_condition") === "any" ? "any" : "all";
    const group = edge.text("activation_group") || to;
    edge.omitUnused();
    return [{ from: name, to, ...(when === undefined ? {} : { when }), join, group, place: edge.path }];
  });
  // The node's own activation is read by AutoGen and not used: that of its edges counts.
  node.ignore("name", "activation");
  node.omitUnused();
  return edges;
}

/**
 * With one group of edges, a target waits as the group says. With several, each group sets it going by itself: for groups of
 * one edge that is `any`; a group of several that wait for each other has no counterpart then.
 */
function joined(edges: readonly Edge[], reading: ImportReport): GraphEdge[] {
  return edges.map(({ from, to, when, group, join, place }) => {
    const others = edges.filter((edge) => edge.to === to);
    const isOneOfSeveral = others.some((edge) => edge.group !== group);
    const waits = join === "all" && others.filter((edge) => edge.group === group).length > 1;
    if (isOneOfSeveral && waits) {
      reading.omit(
        `${place}.activation_group`,
        `the edges to ${to} can not be waited for in groups; each sets it going`,
      );
    }
    const isAny = join === "any" || isOneOfSeveral;
    return { from, to, ...(when === undefined ? {} : { when }), ...(isAny ? { join: "any" as const } : {}) };
  });
}
