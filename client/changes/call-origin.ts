import type { TeamEvent } from "../../shared/contract/event.ts";
import type { CallView } from "../common/timeline/items.ts";

/** A tool call as a thread's events tell it: its tool, and who let it run. */
export type CallOrigin = Pick<CallView, "name" | "approved" | "decision">;

/** Undefined when the call's request is not among the events. */
export function callOrigin(events: readonly TeamEvent[], ref: string): CallOrigin | undefined {
  let origin: CallOrigin | undefined;
  for (const event of events) {
    if (event.type === "tool/requested") {
      const call = event.calls.find((each) => each.ref === ref);
      if (call !== undefined) origin = { name: call.name };
    } else if (origin === undefined || !("ref" in event) || event.ref !== ref) continue;
    else if (event.type === "tool/resolved") {
      const { how, by, reason, input } = event;
      origin = {
        ...origin,
        decision: {
          how,
          by,
          ...(reason === undefined ? {} : { reason }),
          ...(input === undefined ? {} : { edited: true as const }),
        },
      };
    } else if (event.type === "tool/started" && event.approved !== undefined)
      origin = { ...origin, approved: event.approved.reason };
  }
  return origin;
}
