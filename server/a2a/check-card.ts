import { AgentError, type AgentFinding } from "../agents/index.ts";
import { NotAllowed } from "./link-errors.ts";
import { type AgentPlace, addressOf, readCard } from "./read-card.ts";

/** Whether the card of an agent can be read. Nothing is sent to the address that the card names. */
export async function checkCard(place: AgentPlace, signal: AbortSignal): Promise<AgentFinding> {
  try {
    const { used } = await readCard(place, signal);
    const { origin } = used.address;
    const where = origin === addressOf(place.definition).origin ? "" : `, and says that the agent is at ${origin}`;
    return { state: "works", text: `Its card can be read${where}.` };
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return { state: error instanceof NotAllowed ? "refused" : "wrong", text: withoutRun(error.message) };
  }
}

/** What to do, where there is no run to continue. */
const withoutRun = (text: string): string =>
  text
    .replace(/; continue to be asked again\.$/, "; check again to be asked.")
    .replace(/; continue to try again\.$/, "; check again later.")
    .replace(/, and continue\.$/, ", and check again.");
