import { visibleText } from "./visible-text.ts";

/** Who gets what is sent to an endpoint, as a sentence: the participant of that name, or a model. */
export const whoIsThere = (agent: string | undefined): string =>
  agent === undefined
    ? "A model of the team is there."
    : `The agent "${visibleText(agent).text}" of the team is there.`;
