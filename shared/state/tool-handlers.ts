import type { OpenCall, PendingTool } from "../contract/team.ts";
import { jsonEquals } from "../json-equals.ts";
import { type Handlers, unchanged } from "./handlers.ts";
import { withActivity, withPausedStatus, withUsage } from "./state-changes.ts";

type WhyPending = Pick<PendingTool, "interrupt" | "approval" | "reason" | "places">;

/** How many of the last decisions a state holds. */
const DECISIONS = 20;

/** Tool calls, from the request to the result. */
export const toolHandlers: Handlers<
  | "tool/requested"
  | "tool/started"
  | "tool/output"
  | "tool/executed"
  | "tool/abandoned"
  | "tool/interrupted"
  | "tool/resolved"
  | "tool/approved"
> = {
  "tool/requested": (state, { participant, calls, usage }) => {
    const next = {
      ...withActivity(state, participant, "usingTools"),
      // The text that came with the calls is stored with them, so its stream is closed.
      streaming: state.streaming.filter(({ source }) => source !== participant),
      calls: [...state.calls, ...calls.map((call): OpenCall => ({ ...call, participant, started: false }))],
    };
    return withUsage(next, usage, participant);
  },

  "tool/started": (state, { ref }) => ({
    ...state,
    calls: state.calls.map((call) => (call.ref === ref ? { ...call, started: true } : call)),
  }),

  "tool/output": unchanged,

  "tool/executed": (state, { ref, participant }) => {
    const isOther = (call: { readonly ref: string }): boolean => call.ref !== ref;
    const calls = state.calls.filter(isOther);
    const pendingTools = state.pendingTools.filter(isOther);
    const isBusy = [...calls, ...pendingTools].some((call) => call.participant === participant);
    const isTurning = state.openTurns.some((turn) => turn.participant === participant);
    return withPausedStatus({
      ...(isBusy || !isTurning ? state : withActivity(state, participant, "thinking")),
      calls,
      pendingTools,
    });
  },

  "tool/abandoned": (state, { ref }) => ({
    ...state,
    calls: state.calls.map((call) => (call.ref === ref ? { ...call, abandoned: true as const } : call)),
  }),

  "tool/interrupted": (
    state,
    { ref, name, participant, input, interrupt, approval, reason, review, places, required },
  ) =>
    withPausedStatus({
      ...withActivity(state, participant, "awaitingTools"),
      calls: state.calls.filter((call) => call.ref !== ref),
      pendingTools: [
        ...state.pendingTools.filter((call) => call.ref !== ref),
        {
          ref,
          name,
          participant,
          input,
          ...whyPending({ interrupt, approval, reason, places }),
          ...(review === undefined ? {} : { review }),
          ...(required === undefined ? {} : { required }),
        },
      ],
    }),

  "tool/approved": (state, { ref, by, how, value, required, at }) => ({
    ...state,
    pendingTools: state.pendingTools.map((call) => {
      if (call.ref !== ref) return call;
      const isSame = call.underApproval?.how === how && jsonEquals(call.underApproval.value, value);
      const before = isSame ? (call.approvals ?? []).filter((each) => each.by !== by) : [];
      return { ...call, required, approvals: [...before, { by, at }], underApproval: { how, value } };
    }),
  }),

  // An output that the user gave comes with the call's result; until then the call stays pending.
  "tool/resolved": (before, { ref, how, by, input }) => {
    const pending = before.pendingTools.find((call) => call.ref === ref);
    if (pending === undefined) return before;
    const state = { ...before, decided: [...(before.decided ?? []), { ref, by, how }].slice(-DECISIONS) };
    if (how !== "restart") return state;
    const { name, participant, input: proposed, ...asked } = pending;
    const call: OpenCall = {
      ref,
      name,
      participant,
      input: input ?? proposed,
      started: false,
      // The places are those of the input that was proposed.
      asked: whyPending(input === undefined ? asked : { ...asked, places: undefined }),
    };
    return withPausedStatus({
      ...withActivity(state, participant, "usingTools"),
      pendingTools: state.pendingTools.filter((other) => other.ref !== ref),
      calls: [...state.calls, call],
    });
  },
};

function whyPending({ interrupt, approval, reason, places }: WhyPending): WhyPending {
  return {
    ...(interrupt === undefined ? {} : { interrupt }),
    ...(approval === undefined ? {} : { approval }),
    ...(reason === undefined ? {} : { reason }),
    ...(places === undefined ? {} : { places }),
  };
}
