import { messageOf } from "../../../shared/contract/errors.ts";
import type { RunContext } from "../cancellation/run-context.ts";
import { awaitingTools, awaitingUser, cutShort, paused, type RunEnd } from "./run-end.ts";
import type { TurnEnd, TurnResumption, Turns } from "./turns.ts";

/** A turn that is being taken. */
export interface TurnHandle {
  readonly name: string;
  readonly end: Promise<TurnEnd>;
}

/** Who is given the floor beside those who speak, or why the run ends. */
type AddedSpeakers = { readonly speakers: readonly string[] } | { readonly end: RunEnd };

export interface AwaitTurnsOptions {
  readonly context?: RunContext;
  /** Asked after each turn that has ended while others speak, with their names. */
  readonly add?: ((speaking: readonly string[]) => Promise<AddedSpeakers>) | undefined;
}

/** A turn that can be stopped by itself. */
export interface LiveTurn {
  readonly context: RunContext;
  /** Resolves when it has stopped. */
  readonly ended: Promise<unknown>;
}

/** The speakers of a run: gives them the floor, one or several at once, and knows how to stop each of them alone. */
export class Speakers {
  readonly #turns: Turns;
  readonly #context: RunContext;
  readonly #live = new Map<string, LiveTurn>();

  constructor(turns: Turns, context: RunContext) {
    this.#turns = turns;
    this.#context = context;
  }

  /** The turn that a participant is taking now. */
  turnOf(name: string): LiveTurn | undefined {
    return this.#live.get(name);
  }

  /** How many speak now. */
  get count(): number {
    return this.#live.size;
  }

  /** Gives `name` the floor, within `around`, for a turn or the rest of one. */
  startTurn(name: string, around: RunContext = this.#context, rest?: TurnResumption): TurnHandle {
    const context = around.child(name);
    const turn = this.#turns.takeTurn(name, context, rest).finally(() => {
      this.#live.delete(name);
      context.end();
    });
    this.#live.set(name, { context, ended: turn.catch(messageOf) });
    // A turn that was allowed to end, as the last one, ends the run as an interrupt does.
    const end = turn.then((outcome): TurnEnd => {
      const isLast = outcome.kind === "ended" && context.isStopping && !around.isStopping;
      return isLast ? { kind: "interrupted" } : outcome;
    });
    return { name, end };
  }

  /**
   * Waits for turns that were given at once, and for those that are added meanwhile; gives how the run ends, if one of them
   * ends it. The first that fails interrupts the others.
   * @throws what the first that failed has thrown, when all have stopped.
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

    const begin = ({ name, end }: TurnHandle): void => {
      speaking.add(name);
      const over = end.then((outcome) => {
        speaking.delete(name);
        ends.push(outcome);
        adding = adding.then(addSpeakers);
        return adding;
      });
      all.push(
        over.catch((error: unknown) => {
          failure ??= { error };
          context.interrupt({ kind: "failure", error });
        }),
      );
    };
    const addSpeakers = async (): Promise<void> => {
      const isOver = stop !== undefined || context.isStopping || ends.some(({ kind }) => kind !== "ended");
      if (isOver || add === undefined) return;
      const addition = await add([...speaking]);
      if ("end" in addition) stop = addition.end;
      else for (const name of addition.speakers) begin(this.startTurn(name));
    };

    for (const taking of first) begin(taking);
    for (let known = 0; known < all.length; ) {
      known = all.length;
      await Promise.all(all);
    }
    if (failure !== undefined) throw failure.error;
    if (context.isInterrupted) return cutShort(context.cause ?? { kind: "interrupt" }, false);
    return ends.map(runEndOf).find((end) => end !== undefined) ?? stop;
  }
}

/** How a run ends by a turn that has stopped before its end. */
function runEndOf(end: TurnEnd): RunEnd | undefined {
  switch (end.kind) {
    case "ended":
      return undefined;
    case "awaitingTools":
      return awaitingTools();
    case "awaitingUser":
      return awaitingUser();
    case "paused":
      return paused(end.stopReason, end.status);
    case "interrupted":
      return cutShort({ kind: "interrupt" }, false);
  }
}
