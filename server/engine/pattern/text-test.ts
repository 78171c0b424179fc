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

/** How many verdicts are remembered: one for each speaker whose event is about to be recorded. */
const MAX_VERDICTS = 8;

/** Tests texts against one condition. */
export class TextTest {
  readonly condition: TextCondition;
  readonly #verdicts = new Map<string, boolean | undefined>();

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
    const [first = ""] = texts;
    if (this.#verdicts.has(first)) return this.#verdicts.get(first);
    const matching = new TextMatching(this.condition, texts);
    matching.run(workOfTurnAtOnce());
    return matching.verdict;
  }

  /** The first text stands for all of them. */
  #remember([first = ""]: readonly string[], verdict: Verdict): void {
    this.#verdicts.delete(first);
    this.#verdicts.set(first, verdict);
    const [oldest] = this.#verdicts.keys();
    if (this.#verdicts.size > MAX_VERDICTS && oldest !== undefined) this.#verdicts.delete(oldest);
  }
}

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
