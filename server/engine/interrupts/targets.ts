import type { Grace, Severity } from "../../../shared/contract/team.ts";
import type { Run } from "../run/run.ts";
import type { LiveTurn } from "../run/speakers.ts";
import type { InterruptTarget } from "./interrupts.ts";

/** What a severity asks for once a run is at rest: of the team that the run was of. */
export type ApplySeverity = (severity: Severity) => void;

/** Nothing moves: there is nothing to stop, and the severity still counts for whoever shares the `key`. */
export function idleTarget(settle: ApplySeverity = () => {}, key: unknown = settle): InterruptTarget {
  return {
    key,
    isRunning: false,
    stop: () => {},
    whenStopped: (stopped) => stopped(),
    atRest: Promise.resolve(null),
    setSeverity: () => {},
    applySeverity: settle,
  };
}

/** A whole run. */
export function runTarget(run: Run, settle: ApplySeverity): InterruptTarget {
  const stopping = oneTimeEvent();
  run.whenStopped(stopping.call);
  return {
    key: run,
    isRunning: true,
    stop(grace) {
      if (grace !== "now") return run.windDown(grace);
      run.context.interrupt({ kind: "interrupt" });
      stopping.call();
    },
    whenStopped: stopping.listen,
    atRest: run.ended.then(({ stopReason }) => stopReason),
    setSeverity: (severity) => {
      run.raiseSeverity(severity);
    },
    applySeverity: settle,
  };
}

/**
 * One participant's turn. The run ends with it, as soon as those who speak beside it have ended theirs; the receipt waits
 * for the turn alone where others speak.
 */
export function turnTarget(run: Run, turn: LiveTurn, settle: ApplySeverity): InterruptTarget {
  const stopping = oneTimeEvent();
  const over = turn.ended.then(stopping.call);
  return {
    key: turn,
    isRunning: true,
    stop(grace: Grace) {
      if (grace !== "now") return turn.context.windDown(grace);
      turn.context.interrupt({ kind: "interrupt" });
      stopping.call();
    },
    whenStopped: stopping.listen,
    atRest: over.then(() => (run.speakerCount > 0 ? null : run.ended.then(({ stopReason }) => stopReason))),
    setSeverity: (severity) => {
      run.raiseSeverity(severity);
    },
    applySeverity: (severity) => {
      if (run.speakerCount === 0) settle(severity);
    },
  };
}

/** One tool call. Its turn goes on with a result that says that it was cut short. `cut` resolves when it has that result. */
export function callTarget(ref: string, cut: () => Promise<void>): InterruptTarget {
  const { promise: atRest, resolve } = Promise.withResolvers<null>();
  const stopping = oneTimeEvent();
  return {
    key: ref,
    isRunning: true,
    // A call is no more than one step: there is no better moment to wait for.
    stop: () => {
      stopping.call();
      void cut().finally(() => resolve(null));
    },
    whenStopped: stopping.listen,
    atRest,
    setSeverity: () => {},
    applySeverity: () => {},
  };
}

/** What is stopped in a nested team: the run around it ends too, with the turn `around` that the nested team was taking. */
export function nestedTarget(run: Run, around: LiveTurn, target: InterruptTarget): InterruptTarget {
  return {
    ...target,
    atRest: target.atRest
      .then(() => around.ended)
      .then(() => (run.speakerCount > 0 ? null : run.ended.then(({ stopReason }) => stopReason))),
    setSeverity: (severity) => {
      target.setSeverity(severity);
      run.raiseSeverity(severity);
    },
  };
}

/** Something that happens once: whoever asks after it is told, later or at once. */
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
