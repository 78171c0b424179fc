/**
 * Words with which a program runs or loads something, uploads, or writes to a place that the words name. Lists are separated
 * by blanks. An option of one letter has one dash; a `*` at its start or end stands for any characters.
 */
export interface WordTable {
  /** Options, before and after the first operand. */
  readonly options?: string;
  /** Options that have this meaning only before the first operand. */
  readonly before?: string;
  /** Letters of options that take a value: in a group such as `-n5x`, what follows them is no option. */
  readonly valued?: string;
  /** Options that take no value and are harmless, also where they look like a short form of one in `options`. */
  readonly harmless?: string;
  /** First operands; `*` for any. */
  readonly subcommands?: string;
  /** What the words after a first operand mean. */
  readonly within?: Readonly<Record<string, WordTable>>;
  /** Operands, in any place. */
  readonly operands?: RegExp;
}

/** The words of programs of some names. */
export interface ProgramOptions extends WordTable {
  /** Without folder, extension and version. */
  readonly names: string;
  /**
   * How options are written. `letters`, the default: one dash and a group of letters, or two dashes and a name that may be
   * cut short. `names`: one or two dashes and a whole name. `both`: `letters`, and names also with one dash.
   */
  readonly style?: "letters" | "names" | "both";
  /** The words after this many operands are a script's. */
  readonly ownOperands?: 1;
  /** How many operands it reads; it writes to the next. */
  readonly inputs?: 1;
  /** It reads a script from standard input when it has no operand, except with these options. */
  readonly scriptFromInput?: string;
  /** Which operand is a program that it runs with the words after it. As the first operand, a rule has to name it. */
  readonly runs?: 1 | 2;
  /** A shell parses these words again. */
  readonly joins?: true;
  /** The letter of an option whose value is a program that it runs with the words after it. */
  readonly runsModule?: string;
  /** Letters of options without a dash, as in `tar xf`, are allowed as the first operand. */
  readonly bareLetters?: true;
  /** The value of these options, or without them the first operand, is a text in a language that can run and write. */
  readonly text?: { readonly options: string; readonly isRisky: (text: string) => boolean };
  /** First operands may be cut short to three letters. */
  readonly shortSubcommands?: true;
}
