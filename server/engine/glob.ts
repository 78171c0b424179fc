const MAX_ALTERNATIVES = 64;

/**
 * Compiles a glob over paths with `/`: `*`, `?`, `[a-z]`, `**` for any number of folders, `{a,b}`, and `\` before a literal.
 * It goes back to the last star only, so that a hostile pattern costs at most the product of the lengths. A regular
 * expression could take exponential time.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map((alternative) => alternative.split("/").map(segmentOf));
  return (path) => {
    const parts = path.split("/").map((part) => [...part]);
    return alternatives.some((segments) =>
      matchWithStars(segments, parts, (segment) => segment === "**", segmentMatches),
    );
  };
}

/** Whether a pattern matches a list. A star item matches any number of items. */
export function matchWithStars<P, T>(
  pattern: readonly P[],
  text: readonly T[],
  isStar: (item: P) => boolean,
  fits: (item: P, part: T) => boolean,
): boolean {
  let p = 0;
  let t = 0;
  let retry: { p: number; t: number } | undefined;
  while (t < text.length) {
    const item = pattern[p];
    const part = text[t];
    if (item !== undefined && isStar(item)) retry = { p: ++p, t };
    else if (item !== undefined && part !== undefined && fits(item, part)) {
      p++;
      t++;
    } else if (retry !== undefined) {
      retry = { p: retry.p, t: retry.t + 1 };
      ({ p, t } = retry);
    } else return false;
  }
  return pattern.slice(p).every(isStar);
}

type Token = "star" | "any" | { readonly literal: string } | { readonly set: string; readonly negated: boolean };

/** One part of a pattern between slashes. */
type Segment = "**" | readonly Token[];

const segmentOf = (segment: string): Segment => (segment === "**" ? "**" : tokensOf(segment));

function segmentMatches(segment: Segment, part: readonly string[]): boolean {
  return segment !== "**" && matchWithStars(segment, part, (token) => token === "star", tokenMatches);
}

function tokenMatches(token: Token, char: string): boolean {
  if (token === "star") return false;
  if (token === "any") return true;
  if ("literal" in token) return token.literal === char;
  return inSet(token.set, char) !== token.negated;
}

const TOKEN = /\*+|\?|\[(?<negation>[!^]?)(?<set>\]?[^\]]{0,100})\]|\\(?<escaped>.)|(?<literal>.)/gsu;

function tokensOf(segment: string): readonly Token[] {
  return [...segment.matchAll(TOKEN)].map(({ 0: text, groups }): Token => {
    if (text.startsWith("*")) return "star";
    if (text === "?") return "any";
    const set = groups?.["set"];
    if (set !== undefined) return { set, negated: groups?.["negation"] !== "" };
    return { literal: groups?.["escaped"] ?? text };
  });
}

function inSet(set: string, char: string): boolean {
  const members = [...set];
  for (let at = 0; at < members.length; at++) {
    const low = members[at] ?? "";
    const high = members[at + 1] === "-" ? members[at + 2] : undefined;
    if (high !== undefined && low <= char && char <= high) return true;
    if (high !== undefined) at += 2;
    else if (low === char) return true;
  }
  return false;
}

/** The pattern once for each choice of its braces; beyond the limit, the braces are literal. */
export function expandBraces(pattern: string): readonly string[] {
  let open = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    if (open.length + done.length > MAX_ALTERNATIVES) return [pattern];
    const next: string[] = [];
    for (const text of open) {
      const found = /\{([^{},]*,[^{}]*)\}/.exec(text);
      if (found === null) done.push(text);
      else {
        const rest = text.slice(found.index + found[0].length);
        for (const choice of (found[1] ?? "").split(",")) next.push(text.slice(0, found.index) + choice + rest);
      }
    }
    open = next;
  }
  return done;
}
