import type { RE2JS } from "re2js";
import { TextSearch } from "./text-search.ts";
import type { Work } from "./work.ts";

/** Returns false if a text cannot match because it has not what every match needs. Much faster than matching. */
export type MayMatch = (text: string, work: Work) => boolean;

/** What every match has, as re2js found out when it compiled the pattern; its declarations say `any`. */
interface Required {
  readonly type: number;
  readonly str: string;
  readonly subs: readonly Required[];
}

const Type = { part: 1, all: 2, any: 3 } as const;

/** The check of what matches of a pattern need; undefined if nothing is known. */
export function mayMatch(compiled: RE2JS): MayMatch | undefined {
  const required: Required | null = compiled.re2().prefilter;
  return required === null ? undefined : checkOf(required);
}

function checkOf({ type, str, subs }: Required): MayMatch {
  const inner = subs.map(checkOf);
  switch (type) {
    case Type.part: {
      const search = new TextSearch(str);
      return (text, work) => search.isIn(text, work);
    }
    case Type.all:
      return (text, work) => inner.every((check) => check(text, work));
    case Type.any:
      return (text, work) => inner.some((check) => check(text, work));
    default:
      return () => true;
  }
}
