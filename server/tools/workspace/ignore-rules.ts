import { globMatcher } from "../../engine/glob.ts";

/** Longer lines are no pattern that a person wrote. */
const MAX_LINE = 1000;

interface Rule {
  readonly matches: (path: string) => boolean;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

/** The rules of one `.gitignore`, for the paths below the folder that holds it. */
export interface IgnoreRules {
  /** True or false where a rule speaks of the path, undefined where none does. `path` is relative to the folder, with `/`. */
  ignores(path: string, isFolder: boolean): boolean | undefined;
}

/** Reads a `.gitignore` as gitignore(5) has it: the last rule that matches decides. */
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
  // A slash at the start or in the middle ties the pattern to the folder of the file; without one it matches at any depth.
  const anchored = pattern.includes("/") ? pattern.replace(/^\//, "") : `**/${pattern}`;
  return pattern === "" ? [] : [{ matches: globMatcher(anchored), negated, foldersOnly }];
}
