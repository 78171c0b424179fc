import type { TeamEvent } from "../../shared/contract/event.ts";
import { USER_ID } from "../common/user-id.ts";

/** The steps of the walkthrough in package.json, by what the user did. */
export const walkthroughSteps = ["ran", "interrupted", "messaged", "decided", "choseModel"] as const;

export type WalkthroughStep = (typeof walkthroughSteps)[number];

/** The context key that completes a step. */
export const stepKey = (step: WalkthroughStep): string => `gavel.walkthrough.${step}`;

/** The step that an event completes. */
export function completedStep(event: TeamEvent): WalkthroughStep | undefined {
  switch (event.type) {
    case "run/started":
      return event.cause === "run" ? "ran" : undefined;
    case "interrupt/requested":
      return event.by === USER_ID ? "interrupted" : undefined;
    case "userMessage/delivered":
      return event.to === undefined ? undefined : "messaged";
    case "tool/resolved":
      return event.by === USER_ID ? "decided" : undefined;
    case "model/chosen":
      return event.by === USER_ID && event.model !== null ? "choseModel" : undefined;
    default:
      return undefined;
  }
}
