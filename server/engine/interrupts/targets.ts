import type { Severity } from "../../../shared/contract/team.ts";
import type { InterruptCause } from "../cancellation/run-context.ts";
import { isOnPath } from "../paths.ts";
import type { Run } from "../run/run.ts";
import type { LiveTurn } from "../run/speakers.ts";
import type { InterruptTarget } from "./interrupts.ts";

/** Applies a severity, which `by` asked for, to a team once its run is at rest. */
export type ApplySeverity = (severity: Severity, by: string) => void;

/** Nothing is running, so there is nothing to stop. The severity still counts for interrupts with the same `key`. */
export function idleTarget(applySeverity: ApplySeverity = () => {}, key: unknown = applySeverity): InterruptTarget {
  return {
    key,
    isRunning: false,
    stop: () => {},
    whenStopped: (stopped) => stopped(),
    atRest: Promise.resolve(null),
    covers: () => true,
    setSeverity: () => {},
    applySeverity,
  };
}

/** Stops a whole run. */
export function runTarget(run: Run, applySeverity: ApplySeverity): InterruptTarget {
  const stopping = oneTimeEvent();
  run.whenStopped(stopping.call);
  return {
    key: run,
    isRunning: true,
    stop(grace, limitMs) {
      if (grace !== "now") return run.windDown(grace);
      run.context.interrupt(interruptWithin(limitMs));
      stopping.call();
    },
    whenStopped: stopping.listen,
    atRest: run.ended.then(({ stopReason }) => stopReason),
    covers: () => true,
    setSeverity: (severity) => {
      run.raiseSeverity(severity);
    },
    applySeverity,
  };
}

/**
 * Stops the turn of the participant at `place`. The run ends with it, once concurrent turns have ended; if there are any,
 * the receipt waits for the stopped turn alone.
 */
export function turnTarget(
  run: Run,
  turn: LiveTurn,
  place: readonly string[],
  applySeverity: ApplySeverity,
): InterruptTarget {
  const stopping = oneTimeEvent();
  const over = turn.ended.then(stopping.call);
  return {
    key: turn,
    isRunning: true,
    stop(grace, limitMs) {
      if (grace !== "now") return turn.context.windDown(grace);
      turn.context.interrupt(interruptWithin(limitMs));
      stopping.call();
    },
    whenStopped: stopping.listen,
    atRest: over.then(() => (run.speakerCount > 0 ? null : run.ended.then(({ stopReason }) => stopReason))),
    covers: ({ participant, path = [] }) => isOnPath(place, [...path, participant]),
    setSeverity: (severity) => {
      run.raiseSeverity(severity);
    },
    applySeverity: (severity, by) => {
      if (run.speakerCount === 0) applySeverity(severity, by);
    },
  };
}

/**
 * Stops one tool call; its turn continues with a result that says so. `cancel` resolves when the call has that result,
 * `over` when its turn, or its run, has ended without it.
 */
export function callTarget(ref: string, cancel: () => Promise<void>, over: Promise<unknown>): InterruptTarget {
  const { promise: atRest, resolve } = Promise.withResolvers<null>();
  const stopping = oneTimeEvent();
  return {
    key: ref,
    isRunning: true,
    // A call is a single step, so every grace moment is the same.
    stop: () => {
      stopping.call();
      void Promise.race([cancel(), over]).finally(() => resolve(null));
    },
    whenStopped: stopping.listen,
    atRest,
    covers: (work) => work.ref === ref,
    setSeverity: () => {},
    applySeverity: () => {},
  };
}

/**
 * Stops the calls of the participant at `place` that the user has approved, while those of others run: these end, and then
 * the run, before anyone's turn continues. `cancel` resolves when the calls have their results.
 */
export function callsTarget(
  run: Run,
  place: readonly string[],
  cancel: () => Promise<unknown>,
  applySeverity: ApplySeverity,
): InterruptTarget {
  const stopping = oneTimeEvent();
  const { promise: cancelled, resolve } = Promise.withResolvers<null>();
  run.whenStopped(stopping.call);
  return {
    key: `${run.id} ${place.join("/")}`,
    isRunning: true,
    stop(grace) {
      run.windDown(grace === "turn" ? "turn" : "thought");
      if (grace !== "now") return;
      stopping.call();
      void cancel().finally(() => resolve(null));
    },
    whenStopped: stopping.listen,
    atRest: Promise.race([cancelled, run.ended.then(({ stopReason }) => stopReason)]),
    covers: ({ participant, path = [] }) => isOnPath(place, [...path, participant]),
    setSeverity: (severity) => {
      run.raiseSeverity(severity);
    },
    applySeverity,
  };
}

/**
 * Stops a target in the nested team whose run is `innerRun`. The outer run ends too, with `outerTurn`, the turn of the
 * nested team in it; while others speak in either run, the receipt waits for the target alone.
 */
export function nestedTarget(run: Run, outerTurn: LiveTurn, innerRun: Run, target: InterruptTarget): InterruptTarget {
  const atRest = async (): Promise<string | null> => {
    await target.atRest;
    if (innerRun.speakerCount > 0) return null;
    await outerTurn.ended;
    return run.speakerCount > 0 ? null : (await run.ended).stopReason;
  };
  return {
    ...target,
    atRest: atRest(),
    setSeverity: (severity) => {
      target.setSeverity(severity);
      run.raiseSeverity(severity);
    },
  };
}

const interruptWithin = (limitMs: number | undefined): InterruptCause => ({
  kind: "interrupt",
  ...(limitMs === undefined ? {} : { limitMs }),
});

/** An event that happens at most once; listeners added after it are called immediately. */
function oneTimeEvent(): { readonly call: () => void; readonly listen: (listener: () => void) => void } {
  let happened = false;
  let listeners: (() => void)[] = [];
  return {
    call: () => {
      if (happened) return;
      happened = true;
      for (const listener of listeners) listener();
      listeners = [];
    },
    listen: (listener) => {
      if (happened) listener();
      else listeners.push(listener);
    },
  };
}
