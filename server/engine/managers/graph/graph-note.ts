import type { GraphTopology } from "./graph-topology.ts";

/** Where a graph's flow stands, as the team's state keeps it: as long as what is under way, however long the talk. */
export interface GraphNote {
  /** How many messages the thread had. */
  readonly seen: number;
  /** Whose turn it is, with how many turns each had finished when it was chosen. */
  readonly running: readonly Count[];
  /** By the keys of edges: tokens that wait for their target, or as a negative number those to come that it has run for already. */
  readonly tokens: readonly Count[];
}

type Count = readonly [name: string, count: number];

/** The note that this graph left; nothing where there is none, or where it names who or what the graph does not have. */
export function parseGraphNote(note: unknown, { names, edges }: GraphTopology): GraphNote | undefined {
  if (!isGraphNote(note)) return undefined;
  const keys = new Set(edges.map(({ key }) => key));
  const fits = note.running.every(([name]) => names.includes(name)) && note.tokens.every(([key]) => keys.has(key));
  return fits ? note : undefined;
}

function isGraphNote(note: unknown): note is GraphNote {
  if (typeof note !== "object" || note === null) return false;
  const { seen, running, tokens } = note as { readonly [K in keyof GraphNote]?: unknown };
  return isNumber(seen) && seen >= 0 && areCounts(running) && areCounts(tokens);
}

const areCounts = (value: unknown): value is Count[] => Array.isArray(value) && value.every(isCount);

const isCount = (value: unknown): value is Count =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && isNumber(value[1]);

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);
