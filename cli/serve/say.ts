import { shownLine } from "../text/shown-text.ts";

/** Prints a sentence. */
export const say = (sentence: string): void => void process.stdout.write(`${shownLine(sentence)}\n`);

/** Prints a sentence where the standard output is that of the log. */
export const warn = (sentence: string): void => void process.stderr.write(`${shownLine(sentence)}\n`);
