import type { TeamEvent } from "../../shared/contract/event.ts";

/** The steps of the walkthrough in package.json, by what the user did. */
export const walkthroughSteps = ["ran", "interrupted", "messaged", "decided", "choseModel"] as const;

export type WalkthroughStep = (typeof walkthroughSteps)[number];

/** The context key that completes a step. */
export const stepKey = (step: WalkthroughStep): string => `gavel.walkthrough.${step}`;

/** The step that an event completes, for this user. */
export function completedStep(event: TeamEvent, user: string): WalkthroughStep | undefined {
  switch (event.type) {
    case "run/started":
      return event.cause === "run" ? "ran" : undefined;
    case "interrupt/requested":
      return event.by === user ? "interrupted" : undefined;
    case "userMessage/delivered":
      return event.to === undefined ? undefined : "messaged";
    case "tool/resolved":
      return event.by === user ? "decided" : undefined;
    case "model/chosen":
      return event.by === user && event.model !== null ? "choseModel" : undefined;
    default:
      return undefined;
  }
}
