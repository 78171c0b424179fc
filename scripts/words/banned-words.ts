/** A banned word, or a line that is too wide: its place, and what to write instead. */
export interface WordingProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly problem: string;
}

/** Words, in lower case, each with what to write in its place. */
const words: Readonly<Record<string, string>> = {
  anew: "again, or start over",
  befall: "happen to",
  befell: "happened to",
  concession: "fallback",
  desk: "executor",
  heed: "follow, or respect",
  heeds: "follows, or respects",
  heeded: "followed, or respected",
  lest: "so that … not",
  mend: "fix, repair or action",
  mended: "fixed, or repaired",
  mending: "fixing, or repairing",
  mends: "fixes, or actions",
  nobody: "no one, or no participant",
  nought: "nothing",
  ruling: "decision",
  rulings: "decisions",
  thereof: "of it",
  wherein: "in which",
  whilst: "while",
  whom: "who, or the participant's name",
};

/** Phrases, each with what to write in its place. */
const phrases: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bcan not\b/gi, "cannot"],
  [/\bby whatever death\b/gi, "however it ended"],
  [/\bis let finish\b/gi, "may finish"],
  [/\bgives? the floor\b/gi, "selects"],
  [/\bbegins? anew\b/gi, "starts over"],
];

/** Every banned word or phrase in a text; a word counts inside an identifier too (`mendFor`, `tool-desk`). */
export function bannedWordsIn(text: string): WordingProblem[] {
  return text.split("\n").flatMap((content, index) => {
    const found = [
      ...wordsOf(content).flatMap((word) => (Object.hasOwn(words, word) ? [[word, words[word]] as const] : [])),
      ...phrases.flatMap(([pattern, instead]) =>
        [...content.matchAll(pattern)].map(([phrase]) => [phrase, instead] as const),
      ),
    ];
    return found.map(([found, instead]) => ({ line: index + 1, problem: `"${found}": write ${instead}` }));
  });
}

/** The words of a line in lower case, those within identifiers apart. */
function wordsOf(line: string): string[] {
  return (line.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}
