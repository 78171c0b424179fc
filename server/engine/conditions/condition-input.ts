import type { TeamEvent } from "../../../shared/contract/event.ts";
import { BUDGET } from "../../../shared/contract/stop-reasons.ts";
import { usageOf } from "../../../shared/state/reducer.ts";
import type { ConditionInput } from "./termination-condition.ts";

/** The condition input for an event, if any. A call that was interrupted does not count as executed. */
export function conditionInputOf(event: TeamEvent): ConditionInput | undefined {
  if (event.path !== undefined) return spending(event);
  switch (event.type) {
    case "message/added":
      return event.message;
    case "tool/requested":
    case "model/asked":
      return spending(event);
    case "tool/executed":
      return event.interrupted ? undefined : { type: "ToolExecution", name: event.name, isError: event.isError };
    case "reasoning/conclusion":
      return event.interrupted && !event.complete ? undefined : { type: "TurnEnd" };
    case "run/started":
      return { type: "RunStarted", at: event.at };
    case "run/ended":
      return { type: "RunEnded", at: event.at, ...(event.status.reason === BUDGET ? { renews: true } : {}) };
    default:
      return undefined;
  }
}

/** Of a nested team, only the usage counts. */
function spending(event: TeamEvent): ConditionInput | undefined {
  const usage = usageOf(event);
  return usage === undefined ? undefined : { type: "Spending", usage };
}
