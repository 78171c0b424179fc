/** One word of a command, as a shell splits it. */
export interface ShellWord {
  /** Without its quotes; expansions are kept as written. */
  readonly text: string;
  /**
   * True when the shell expands it at run time (variable, substitution, glob, `~`, braces), perhaps to several words or
   * none.
   */
  readonly dynamic: boolean;
  /** True when any part was quoted: it is then not a reserved word. */
  readonly quoted: boolean;
  /** True for a word that may expand to an option, because its first characters or the number of its words are unknown. */
  readonly mayBeOption?: true;
}

/** A word that is known in advance. */
export const literalWord = (text: string): ShellWord => ({ text, dynamic: false, quoted: false });

/** A word that is only known at run time, of which nothing is known. */
export const dynamicWord = (text: string): ShellWord => ({ text, dynamic: true, quoted: false, mayBeOption: true });

const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

/** The words as one line, quoted where a shell needs it. */
export function quoteWords(words: readonly ShellWord[]): string {
  return words.map(({ text, dynamic }) => (dynamic || PLAIN.test(text) ? text : quoted(text))).join(" ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
