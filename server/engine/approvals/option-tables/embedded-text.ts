/** True unless an awk program only reads and prints: no commands, files, pipes and extensions. */
export const isRiskyAwk = (program: string): boolean =>
  /system|getline|close|ENVIRON|ARGV|PROCINFO|FS_|[|>@]/.test(program);

/** An address of a sed command; the pattern has no bracket and no escape, so that its end is certain. */
const ADDRESS = /(?:[0-9]+(?:~[0-9]+)?|\$|\/[^/\\[\n]*\/I?)/y;
/** The commands of sed, other than substitutions, that read and write no file and run nothing. */
const PLAIN = /[pdqQ=nNgGhHxDPlz]/y;
const BLANK = /[\s;]*/y;
const FLAGS = /[gpiIM0-9]*/y;
const DELIMITERS = "/|#,@:!_+%~";

/**
 * True unless a sed script is a sequence of plain commands and substitutions that sed certainly parses in the same way.
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/sed.html
 */
export function isRiskySed(script: string): boolean {
  let at = 0;
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(script);
    if (found !== null) at += found[0].length;
    return found !== null;
  };
  take(BLANK);
  while (at < script.length) {
    if (take(ADDRESS) && script[at] === ",") {
      at++;
      if (!take(ADDRESS)) return true;
    }
    if (script[at] === "!") at++;
    if (script[at] === "s") {
      const end = endOfSubstitution(script, at + 1);
      if (end === undefined) return true;
      at = end;
      take(FLAGS);
    } else if (!take(PLAIN)) return true;
    const end = at;
    take(BLANK);
    if (at === end && at < script.length) return true;
  }
  return false;
}

/** Where a substitution's flags start; undefined where its end is uncertain. `at` is that of its delimiter. */
function endOfSubstitution(script: string, at: number): number | undefined {
  const delimiter = script[at] ?? "";
  if (delimiter === "" || !DELIMITERS.includes(delimiter)) return undefined;
  let parts = 0;
  let next = at + 1;
  while (next < script.length) {
    const char = script[next];
    if (char === "\n") return undefined;
    if (char === "\\") next += 2;
    else if (char === delimiter) {
      next++;
      if (++parts === 2) return next;
    } else if (char === "[" && parts === 0) {
      const close = endOfBracket(script, next, delimiter);
      if (close === undefined) return undefined;
      next = close;
    } else next++;
  }
  return undefined;
}

/** Just after a bracket expression that cannot contain the delimiter, a backslash or another bracket. */
function endOfBracket(script: string, open: number, delimiter: string): number | undefined {
  let at = open + 1;
  if (script[at] === "^") at++;
  if (script[at] === "]") at++;
  for (; at < script.length; at++) {
    const char = script[at] ?? "";
    if (char === "]") return at + 1;
    if (char === delimiter || "[\\\n;".includes(char)) return undefined;
  }
  return undefined;
}
