import type { ContextState } from "../contract/context.ts";
import { ownValue } from "../json-record.ts";
import type { Handlers } from "./handlers.ts";
import type { TeamState } from "./team-state.ts";

/** Summaries that participants are shown in place of messages. */
export const contextHandlers: Handlers<"context/summarized" | "context/restored" | "context/summaryRequested"> = {
  "context/summarized": (state, { participant, summary }) => withContext(state, participant, { summary }),
  "context/restored": (state, { participant }) => withContext(state, participant, { restored: true }),
  "context/summaryRequested": (state, { participant }) => {
    const summary = ownValue(state.contexts, participant)?.summary;
    return withContext(state, participant, { ...(summary === undefined ? {} : { summary }), requested: true });
  },
};

const withContext = (state: TeamState, participant: string, context: ContextState): TeamState => ({
  ...state,
  contexts: { ...state.contexts, [participant]: context },
});
