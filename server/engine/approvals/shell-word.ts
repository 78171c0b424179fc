/** One word of a command as a shell would take it. */
export interface ShellWord {
  /** With its quotes taken off; what the shell puts in at run time stands as it is written. */
  readonly text: string;
  /** True when the shell makes it at run time (a variable, a substitution, a glob, `~`, braces), perhaps into several words or none. */
  readonly dynamic: boolean;
  /** True when any of it was quoted: it is no reserved word then, and no number of a redirection. */
  readonly quoted: boolean;
}

/** A word that is just this text. */
export const literalWord = (text: string): ShellWord => ({ text, dynamic: false, quoted: false });

/** A word of which nothing is known before it runs. */
export const dynamicWord = (text: string): ShellWord => ({ text, dynamic: true, quoted: false });

const PLAIN = /^[\p{L}\p{N}_@%+=:,./-]+$/u;

/** The words as a person would write them: quoted where a shell would need it. */
export function quoteWords(words: readonly ShellWord[]): string {
  return words.map(({ text, dynamic }) => (dynamic || PLAIN.test(text) ? text : quoted(text))).join(" ");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
