import { activityStates } from "./activity-states.ts";
import { agentStates } from "./agent-states.ts";
import { cardStates } from "./card-states.ts";
import { contentStates } from "./content-states.ts";
import type { GalleryState } from "./gallery-state.ts";
import { interruptStates } from "./interrupt-states.ts";
import { messageStates } from "./message-states.ts";
import { nestedStates } from "./nested-states.ts";
import { peopleStates } from "./people-states.ts";
import { planStates } from "./plan-states.ts";
import { startStates } from "./start-states.ts";
import { turnStates } from "./turn-states.ts";

/** The states of the page, for screenshots. */
export const galleryStates: readonly GalleryState[] = [
  ...startStates,
  ...turnStates,
  ...activityStates,
  ...nestedStates,
  ...contentStates,
  ...cardStates,
  ...agentStates,
  ...planStates,
  ...messageStates,
  ...peopleStates,
  ...interruptStates,
];
