import type { Pattern } from "./pattern.ts";
import type { PatternScan } from "./pattern-scan.ts";
import type { TextSearch } from "./text-search.ts";
import { type Matching, type Work, workOfTurnAtOnce } from "./work.ts";

/** What a text must be like: contain a part, match a regular expression, or both. An empty condition is met by any text. */
export interface TextCondition {
  readonly contains?: TextSearch | undefined;
  readonly pattern?: Pattern | undefined;
}

/** Whether a text passes a test; undefined if that would take too much work to find out. */
export type Verdict = boolean | undefined;

/** How many verdicts are remembered: one for each event that is about to be recorded. */
const MAX_VERDICTS = 32;

interface Remembered {
  readonly texts: readonly string[];
  readonly verdict: Verdict;
}

/** Tests texts against one condition. */
export class TextTest {
  readonly condition: TextCondition;
  readonly #verdicts: Remembered[] = [];

  constructor(condition: TextCondition) {
    this.condition = condition;
  }

  /** The work of finding out whether one of the texts passes; {@link passes} then has the verdict. */
  matching(texts: readonly string[]): Matching {
    const matching = new TextMatching(this.condition, texts);
    return {
      run: (work) => {
        const isDone = matching.run(work);
        if (isDone) this.#remember(texts, matching.verdict);
        return isDone;
      },
    };
  }

  /** Whether one of the texts passes. Without a verdict from {@link matching} only little work is done to find out. */
  passes(texts: readonly string[]): Verdict {
    const known = this.#verdicts.findLast((remembered) => areEqual(remembered.texts, texts));
    if (known !== undefined) return known.verdict;
    const matching = new TextMatching(this.condition, texts);
    matching.run(workOfTurnAtOnce());
    return matching.verdict;
  }

  #remember(texts: readonly string[], verdict: Verdict): void {
    this.#verdicts.push({ texts, verdict });
    if (this.#verdicts.length > MAX_VERDICTS) this.#verdicts.shift();
  }
}

const areEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, at) => text === other[at]);

/** Tests texts one after the other until one passes. */
class TextMatching implements Matching {
  readonly #condition: TextCondition;
  readonly #texts: readonly string[];
  #verdict: Verdict;
  #at = 0;
  #scan: PatternScan | undefined;
  #read = 0;

  constructor(condition: TextCondition, texts: readonly string[]) {
    this.#condition = condition;
    this.#texts = texts;
  }

  /** Undefined until it is known. */
  get verdict(): Verdict {
    return this.#verdict;
  }

  run(work: Work): boolean {
    for (let text = this.#texts[this.#at]; text !== undefined; text = this.#texts[this.#at]) {
      const passes = work.left > 0 ? this.#runText(text, work) : undefined;
      if (passes === undefined) return false;
      if (passes) {
        this.#verdict = true;
        return true;
      }
      this.#at += 1;
      this.#scan = undefined;
      this.#read = 0;
    }
    this.#verdict = false;
    return true;
  }

  #runText(text: string, work: Work): Verdict {
    const { contains, pattern } = this.#condition;
    if (this.#scan === undefined) {
      work.left -= 1;
      if (contains?.isIn(text, work) === false) return false;
      if (pattern === undefined) return true;
      if (!pattern.mayMatch(text, work)) return false;
      this.#scan = pattern.scan();
    }
    this.#read = this.#scan.read(text, this.#read, work);
    if (this.#scan.isMatched) return true;
    return this.#read === text.length ? this.#scan.matchesAtEnd(work) : undefined;
  }
}
