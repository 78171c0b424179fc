import { messageOf } from "../../../shared/contract/errors.ts";
import type { RunContext } from "../cancellation/run-context.ts";
import type { ContextItem } from "../model.ts";
import { awaitingTools, awaitingUser, cutShort, paused, type RunEnd } from "./run-end.ts";
import type { TurnEnd } from "./turn-ends.ts";
import type { TurnResumption, Turns } from "./turns.ts";

/** A turn in progress. */
export interface TurnHandle {
  readonly name: string;
  readonly end: Promise<TurnEnd>;
}

/** The speakers that a manager adds while others speak, or how the run ends. */
type AddedSpeakers = { readonly speakers: readonly string[] } | { readonly end: RunEnd };

export interface AwaitTurnsOptions {
  readonly context?: RunContext;
  /** Called after each turn that ends, with the names of those who still speak. */
  readonly add?: ((speaking: readonly string[]) => Promise<AddedSpeakers>) | undefined;
}

/** A turn that can be stopped alone. */
export interface LiveTurn {
  readonly context: RunContext;
  /** Resolves when the turn has stopped. */
  readonly ended: Promise<unknown>;
}

/** The speakers of a run: starts their turns, one or several at once, and gives access to each turn in progress. */
export class Speakers {
  readonly #turns: Turns;
  readonly #context: RunContext;
  readonly #earlier: readonly ContextItem[];
  readonly #live = new Map<string, LiveTurn>();
  #failed: string | undefined;

  /** `earlier`: for a nested team, the talk before. */
  constructor(turns: Turns, context: RunContext, earlier: readonly ContextItem[] = []) {
    this.#turns = turns;
    this.#context = context;
    this.#earlier = earlier;
  }

  /** The turn that a participant is taking now, if any. */
  turnOf(name: string): LiveTurn | undefined {
    return this.#live.get(name);
  }

  /** How many participants are speaking now. */
  get count(): number {
    return this.#live.size;
  }

  /** The participant whose turn failed first, if any. */
  get failed(): string | undefined {
    return this.#failed;
  }

  /** Starts, or resumes, a turn of `name` below the context `parent`. */
  startTurn(name: string, parent: RunContext = this.#context, resumption?: TurnResumption): TurnHandle {
    const context = parent.child(name);
    const end = this.#turns
      .takeTurn(name, context, { resumption, earlier: this.#earlier })
      .then((outcome): TurnEnd => {
        if (parent.isStopping) return outcome;
        // What was interrupted alone, and not with its run, is closed while others may still be speaking.
        if (outcome.kind === "interrupted") this.#turns.close(name);
        // A turn that was wound down alone ends the run as an interrupt does.
        return outcome.kind === "ended" && context.isStopping ? { kind: "interrupted" } : outcome;
      })
      .catch((error: unknown) => {
        this.#failed ??= name;
        throw error;
      })
      .finally(() => {
        this.#live.delete(name);
        context.end();
      });
    this.#live.set(name, { context, ended: end.catch(messageOf) });
    return { name, end };
  }

  /**
   * Waits for concurrent turns and for those that are added meanwhile. Returns how the run ends, if one of them ends it.
   * A turn that fails interrupts the others.
   * @throws the error of the first turn that failed, once all have stopped.
   */
  async awaitTurns(
    first: readonly TurnHandle[],
    { context = this.#context, add }: AwaitTurnsOptions = {},
  ): Promise<RunEnd | undefined> {
    const speaking = new Set<string>();
    const ends: TurnEnd[] = [];
    const all: Promise<void>[] = [];
    let adding: Promise<void> = Promise.resolve();
    let stop: RunEnd | undefined;
    let failure: { readonly error: unknown } | undefined;

    const track = ({ name, end }: TurnHandle): void => {
      speaking.add(name);
      const ended = end.then((outcome) => {
        speaking.delete(name);
        ends.push(outcome);
        adding = adding.then(addSpeakers);
        return adding;
      });
      all.push(
        ended.catch((error: unknown) => {
          failure ??= { error };
          context.interrupt({ kind: "failure", error });
        }),
      );
    };
    const addSpeakers = async (): Promise<void> => {
      const isEnding = stop !== undefined || context.isStopping || ends.some(({ kind }) => kind !== "ended");
      if (isEnding || add === undefined) return;
      const addition = await add([...speaking]);
      if ("end" in addition) stop = addition.end;
      else for (const name of addition.speakers) track(this.startTurn(name));
    };

    for (const turn of first) track(turn);
    for (let known = 0; known < all.length; ) {
      known = all.length;
      await Promise.all(all);
    }
    if (failure !== undefined) throw failure.error;
    if (context.isInterrupted) return cutShort(context.cause ?? { kind: "interrupt" }, false);
    return ends.map(runEndOf).find((end) => end !== undefined) ?? stop;
  }
}

/** How a turn that stopped before its end ends the run; undefined if the turn ended normally. */
function runEndOf(end: TurnEnd): RunEnd | undefined {
  switch (end.kind) {
    case "ended":
      return undefined;
    case "awaitingTools":
      return awaitingTools();
    case "awaitingUser":
      return awaitingUser();
    case "unanswered":
      return { ...paused(end.stopReason, end.status), isUnanswered: true };
    case "paused":
      return paused(end.stopReason, end.status);
    case "interrupted":
      return cutShort({ kind: "interrupt" }, false);
  }
}
