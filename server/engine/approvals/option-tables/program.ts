import type { ProgramOptions, WordTable } from "./program-options.ts";

/** A table whose lists are sets. */
export interface Words {
  readonly letters: ReadonlySet<string>;
  readonly names: readonly string[];
  /** Beginnings of names: those that end in a `*` in the table. */
  readonly prefixes: readonly string[];
  /** Ends of names. */
  readonly suffixes: readonly string[];
  /** Options that count only before the first operand, as in `letters` and `names`. */
  readonly before: ReadonlySet<string>;
  readonly valued: ReadonlySet<string>;
  readonly harmless: ReadonlySet<string>;
  readonly subcommands: ReadonlySet<string>;
  readonly within: ReadonlyMap<string, Words>;
  readonly operands?: RegExp;
}

/** What is known of a program's words. */
export interface Program extends Omit<ProgramOptions, "names" | "text" | "scriptFromInput" | keyof WordTable> {
  readonly names: readonly string[];
  readonly words: Words;
  readonly withoutScript?: ReadonlySet<string>;
  readonly text?: { readonly options: ReadonlySet<string>; readonly isRisky: (text: string) => boolean };
}

export function readProgram(options: ProgramOptions): Program {
  const {
    names,
    text,
    scriptFromInput,
    ownOperands,
    inputs,
    style,
    runs,
    joins,
    bareLetters,
    shortSubcommands,
    runsModule,
  } = options;
  return {
    names: listOf(names),
    words: readTable(options),
    ...(style === undefined ? {} : { style }),
    ...(ownOperands === undefined ? {} : { ownOperands }),
    ...(inputs === undefined ? {} : { inputs }),
    ...(runs === undefined ? {} : { runs }),
    ...(joins ? { joins } : {}),
    ...(bareLetters ? { bareLetters } : {}),
    ...(runsModule === undefined ? {} : { runsModule }),
    ...(shortSubcommands ? { shortSubcommands } : {}),
    ...(scriptFromInput === undefined ? {} : { withoutScript: new Set(listOf(scriptFromInput)) }),
    ...(text === undefined ? {} : { text: { ...text, options: new Set(listOf(text.options)) } }),
  };
}

/** The name of an option. Some programs take `_` for `-`. */
export const normalizedName = (option: string): string => option.replace(/^-+/, "").replaceAll("_", "-");

function readTable({ options, before, valued, harmless, subcommands, within = {}, operands }: WordTable): Words {
  const all = listOf(options).map((option) => normalizedName(option));
  const withoutStar = all.filter((option) => !option.includes("*"));
  return {
    letters: new Set(withoutStar.filter((option) => option.length === 1)),
    names: withoutStar.filter((option) => option.length > 1),
    prefixes: all.filter((option) => option.endsWith("*")).map((option) => option.slice(0, -1)),
    suffixes: all.filter((option) => option.startsWith("*")).map((option) => option.slice(1)),
    before: new Set(listOf(before)),
    valued: new Set(valued),
    harmless: new Set(listOf(harmless)),
    subcommands: new Set(listOf(subcommands)),
    within: new Map(Object.entries(within).map(([name, table]) => [name, readTable(table)])),
    ...(operands === undefined ? {} : { operands }),
  };
}

const listOf = (text = ""): string[] => text.split(/\s+/).filter((word) => word !== "");
