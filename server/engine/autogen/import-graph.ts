import type { GraphEdge, TeamDefinition } from "../../../shared/contract/definition.ts";
import { type ComponentConfig, type ImportReport, type LocatedValue, withoutUndefined } from "./autogen-component.ts";

type Graph = NonNullable<TeamDefinition["graph"]>;

/** An edge with AutoGen's activation settings: the edges of one group are joined. */
interface Edge extends Pick<GraphEdge, "from" | "to" | "when"> {
  readonly group: string;
  readonly join: "all" | "any";
  readonly path: string;
}

/**
 * Imports a DiGraph. `names` are the team's participants. One that is not a node never speaks in AutoGen, so the entries are
 * written out then.
 */
export function importGraph(graph: ComponentConfig, names: readonly string[], report: ImportReport): Graph {
  const nodes = graph.map("nodes");
  const edges = Object.entries(nodes).flatMap(([name, placed]) => edgesOf(name, placed, graph));
  const start = graph.text("default_start_node");
  graph.omitUnused();
  const idle = names.filter((name) => !Object.hasOwn(nodes, name));
  for (const name of idle) report.omit(graph.pathOf("nodes"), `${name} is not a node of the graph, so it never speaks`);
  const targets = new Set(edges.map(({ to }) => to));
  const entry = start ?? (idle.length > 0 ? Object.keys(nodes).filter((name) => !targets.has(name)) : undefined);
  return withoutUndefined({ edges: joined(edges, report), entry });
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
    return [{ from: name, to, ...(when === undefined ? {} : { when }), join, group, path: edge.path }];
  });
  // AutoGen reads a node's own activation but uses that of its edges.
  node.ignore("name", "activation");
  node.omitUnused();
  return edges;
}

/**
 * With one group of edges, the target is joined as the group says. With several groups, each starts the target: for a group
 * of one edge that is `any`; a joined group of several edges has no counterpart.
 */
function joined(edges: readonly Edge[], report: ImportReport): GraphEdge[] {
  return edges.map(({ from, to, when, group, join, path }) => {
    const others = edges.filter((edge) => edge.to === to);
    const isOneOfSeveral = others.some((edge) => edge.group !== group);
    const waits = join === "all" && others.filter((edge) => edge.group === group).length > 1;
    if (isOneOfSeveral && waits) {
      report.omit(`${path}.activation_group`, `the edges to ${to} cannot be joined in groups; each edge starts it`);
    }
    const isAny = join === "any" || isOneOfSeveral;
    return { from, to, ...(when === undefined ? {} : { when }), ...(isAny ? { join: "any" as const } : {}) };
  });
}
