import { isRecord } from "../../../../shared/json-record.ts";
import type { GraphTopology } from "./graph-topology.ts";

/**
 * The progress of a graph as stored in the team's state. Its size depends on what is in progress, not on the length of the
 * thread.
 */
export interface GraphNote {
  /** The length of the thread when the note was saved. */
  readonly seen: number;
  /** The participants whose turn it is, each with its number of finished turns when it was selected. */
  readonly running: readonly Count[];
  /**
   * Tokens by edge key: positive for tokens that wait for the target, negative for late tokens to ignore, as the target
   * already ran.
   */
  readonly tokens: readonly Count[];
}

type Count = readonly [name: string, count: number];

/**
 * Parses a stored note; undefined for anything else, and for a note with participants or edges that the graph does not have.
 */
export function parseGraphNote(note: unknown, { names, edges }: GraphTopology): GraphNote | undefined {
  if (!isGraphNote(note)) return undefined;
  const keys = new Set(edges.map(({ key }) => key));
  const fits = note.running.every(([name]) => names.includes(name)) && note.tokens.every(([key]) => keys.has(key));
  return fits ? note : undefined;
}

function isGraphNote(note: unknown): note is GraphNote {
  if (!isRecord(note)) return false;
  const { seen, running, tokens } = note;
  return isNumber(seen) && seen >= 0 && areCounts(running) && areCounts(tokens);
}

const areCounts = (value: unknown): value is Count[] => Array.isArray(value) && value.every(isCount);

const isCount = (value: unknown): value is Count =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && isNumber(value[1]);

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);
