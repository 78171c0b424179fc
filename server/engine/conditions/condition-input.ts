import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { ConditionInput } from "./condition.ts";

/** What a condition is shown of an event, if anything: a call that was cut short was not executed. */
export function conditionInputOf(event: TeamEvent): ConditionInput | undefined {
  switch (event.type) {
    case "message/added":
      return event.message;
    case "tool/requested":
      return event.usage === undefined ? undefined : { type: "ToolRequest", usage: event.usage };
    case "tool/executed":
      return event.interrupted ? undefined : { type: "ToolExecution", name: event.name, isError: event.isError };
    default:
      return undefined;
  }
}
