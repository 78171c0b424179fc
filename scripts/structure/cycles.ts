import { type FileImports, resolveImport } from "./imports.ts";

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Files that import each other in a circle, type imports included; each cycle is a sorted list of paths. */
export function fileCycles(files: readonly FileImports[]): string[][] {
  return cyclesOf(fileGraph(files));
}

/** A folder whose children import each other in a circle, and the imports that make it one. */
export interface FolderCycle {
  readonly folder: string;
  /** The children in the circle: subfolders end in `/`, files do not. At least one is a subfolder. */
  readonly children: readonly string[];
  readonly imports: readonly string[];
}

/**
 * Looks at each folder as a reader does, one level at a time: a subfolder with everything in it is one node, a file beside
 * it another. A circle that consists of files only is reported by `fileCycles`.
 */
export function folderCycles(files: readonly FileImports[]): FolderCycle[] {
  const graph = fileGraph(files);
  const folders = new Set(files.flatMap(({ file }) => foldersAbove(file)));
  return [...folders].sort().flatMap((folder) => cyclesAmongChildren(folder, graph));
}

function cyclesAmongChildren(folder: string, graph: Graph): FolderCycle[] {
  const edges = [...graph].flatMap(([file, imported]) =>
    [...imported].flatMap((target) => {
      const from = childOf(folder, file);
      const to = childOf(folder, target);
      return from === undefined || to === undefined || from === to ? [] : [{ from, to, text: `${file} -> ${target}` }];
    }),
  );
  const children = new Map<string, Set<string>>();
  for (const { from, to } of edges) children.set(from, (children.get(from) ?? new Set()).add(to));
  return cyclesOf(children)
    .filter((cycle) => cycle.some((child) => child.endsWith("/")))
    .map((cycle) => ({
      folder,
      children: cycle,
      imports: edges.filter(({ from, to }) => cycle.includes(from) && cycle.includes(to)).map(({ text }) => text),
    }));
}

/** The subfolder (with `/` at its end) or the file of `folder` that a path lies in. */
function childOf(folder: string, path: string): string | undefined {
  const prefix = folder === "" ? "" : `${folder}/`;
  if (!path.startsWith(prefix)) return undefined;
  const [first = "", ...rest] = path.slice(prefix.length).split("/");
  return rest.length === 0 ? first : `${first}/`;
}

function foldersAbove(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return ["", ...names.map((_, index) => names.slice(0, index + 1).join("/"))];
}

function fileGraph(files: readonly FileImports[]): Graph {
  const known = new Set(files.map(({ file }) => file));
  return new Map(
    files.map(({ file, imports }) => {
      const targets = imports.flatMap(({ specifier }) => resolveImport(file, specifier) ?? []);
      return [file, new Set(targets.filter((target) => known.has(target)))] as const;
    }),
  );
}

/** The strongly connected components with more than one member (Tarjan's algorithm), each sorted. */
function cyclesOf(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    lowest.set(node, index);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) lowest.set(node, Math.min(lowest.get(node) ?? index, visit(next)));
      else if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? index, order.get(next) ?? index));
    }
    const low = lowest.get(node) ?? index;
    if (low === index) {
      const members = stack.splice(stack.indexOf(node));
      if (members.length > 1) cycles.push(members.sort());
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles;
}
