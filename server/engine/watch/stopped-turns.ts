import { jsonEquals } from "../../../shared/json-equals.ts";

/** What makes two calls the same: a model that goes on requests a call again that was cut short. */
export interface WatchedCall {
  readonly name: string;
  readonly input: unknown;
}

/** A turn that starts; `path` leads to its team from the one that has the rule. */
export interface StartedTurn {
  readonly id: string;
  readonly from: string;
  readonly path?: readonly string[] | undefined;
}

/** The calls of the turn that this one continues, if that was cut short before this process. */
export type RestoreStopped = (turn: StartedTurn) => readonly WatchedCall[] | undefined;

/**
 * The turns that a rule stopped and that were cut short, with the calls in question: when the run goes on, the turn that
 * continues one passes the rule once. A new task ends this.
 */
export class StoppedTurns {
  readonly #calls = new Map<string, readonly WatchedCall[]>();
  /** Where a turn has started in this process. */
  readonly #seen = new Set<string>();
  #restore: RestoreStopped | undefined;

  constructor(restore?: RestoreStopped) {
    this.#restore = restore;
  }

  /** The calls that the turn passes which starts now; undefined if it continues no stopped turn. */
  start(key: string, turn: StartedTurn): readonly WatchedCall[] | undefined {
    const known = this.#calls.get(key);
    this.#calls.delete(key);
    const isFirst = !this.#seen.has(key);
    this.#seen.add(key);
    return known ?? (isFirst ? this.#restore?.(turn) : undefined);
  }

  /** A turn has ended: if it was cut short, what it may still pass is kept. */
  end(key: string, passes: readonly WatchedCall[] | undefined, isCut: boolean): void {
    if (isCut && passes !== undefined) this.#calls.set(key, passes);
    else this.#calls.delete(key);
  }

  clear(): void {
    this.#calls.clear();
    this.#restore = undefined;
  }
}

/** The calls without those that pass, and what may still pass after them. */
export function withoutPassed<C extends WatchedCall>(
  calls: readonly C[],
  passes: readonly WatchedCall[] = [],
): { readonly calls: readonly C[]; readonly left: readonly WatchedCall[] } {
  const left = [...passes];
  const stopped = calls.filter(({ name, input }) => {
    const at = left.findIndex((passed) => passed.name === name && jsonEquals(passed.input, input));
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return { calls: stopped, left };
}
