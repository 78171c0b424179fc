import { globMatcher } from "../../engine/glob.ts";

/** Longer lines are ignored: no one writes such a pattern. */
const MAX_LINE = 1000;

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

/** The rules of one `.gitignore`, for the paths below the folder that holds it. */
export interface IgnoreRules {
  /** True or false when a rule matches the path, undefined when none does. `path` is relative to the folder, with `/`. */
  ignores(path: string, isFolder: boolean): boolean | undefined;
}

/**
 * Parses a `.gitignore` (gitignore(5)): the last matching rule decides. The `ignore` package is not used: its regular
 * expressions take exponential time on patterns such as repeated `/**\/`, so that a hostile repository could block the
 * host.
 */
export function parseIgnoreRules(text: string): IgnoreRules {
  const rules = text.split(/\r?\n/).flatMap(parseRule).reverse();
  return {
    ignores(path, isFolder) {
      const rule = rules.find(({ foldersOnly, matches }) => (isFolder || !foldersOnly) && matches(path));
      return rule === undefined ? undefined : !rule.negated;
    },
  };
}

function parseRule(line: string): readonly Rule[] {
  if (line.length > MAX_LINE) return [];
  const trimmed = line.replace(/(?<!\\)[ \t]+$/, "");
  if (trimmed === "" || trimmed.startsWith("#")) return [];
  const negated = trimmed.startsWith("!");
  const body = negated ? trimmed.slice(1) : trimmed;
  const foldersOnly = body.endsWith("/");
  const pattern = foldersOnly ? body.slice(0, -1) : body;
  // A pattern with a slash at the start or in the middle is relative to the file's folder; others match at any depth.
  const anchored = pattern.includes("/") ? pattern.replace(/^\//, "") : `**/${pattern}`;
  return pattern === "" ? [] : [{ matches: globMatcher(anchored), negated, foldersOnly }];
}
