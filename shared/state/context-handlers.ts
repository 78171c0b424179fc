import type { ContextState } from "../contract/context.ts";
import { ownValue } from "../json-record.ts";
import type { Handlers } from "./handlers.ts";
import { withSummarizing } from "./state-changes.ts";
import type { TeamState } from "./team-state.ts";

/** Summaries that participants are shown in place of messages. */
export const contextHandlers: Handlers<
  "context/summarizing" | "context/summarized" | "context/restored" | "context/summaryRequested"
> = {
  "context/summarizing": (state, { participant }) => withSummarizing(state, participant, true),
  "context/summarized": (state, { participant, summary }) =>
    withSummarizing(withContext(state, participant, { summary }), participant, undefined),
  // A summary that is being written is not used then.
  "context/restored": (state, { participant }) =>
    withSummarizing(withContext(state, participant, { restored: true }), participant, undefined),
  "context/summaryRequested": (state, { participant }) => {
    const summary = ownValue(state.contexts, participant)?.summary;
    return withContext(state, participant, { ...(summary === undefined ? {} : { summary }), requested: true });
  },
};

const withContext = (state: TeamState, participant: string, context: ContextState): TeamState => ({
  ...state,
  contexts: { ...state.contexts, [participant]: context },
});
