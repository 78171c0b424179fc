import type { ParticipantDefinition } from "../../shared/contract/definition.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import { isLoopback } from "../../shared/loopback.ts";
import { AgentError } from "../agents/agent-error.ts";
import { agentCard, type UsedCard } from "./agent-card.ts";
import { agentFetch, type OwnHeaders } from "./agent-fetch.ts";
import { isSendable } from "./agent-headers.ts";
import { NotAllowed } from "./link-errors.ts";
import type { AgentWithHeaders, RemoteAccess } from "./remote-services.ts";

/** An agent, and how it is reached. */
export interface AgentPlace {
  readonly definition: ParticipantDefinition;
  readonly services: RemoteAccess;
}

/** An agent's card, and the headers of requests to its own origin. */
export interface ReadCard {
  readonly used: UsedCard;
  readonly headers: OwnHeaders | undefined;
}

/** Reads the card of an agent, once the user allows what is sent for it. @throws AgentError. */
export async function readCard(options: AgentPlace, signal: AbortSignal): Promise<ReadCard> {
  const { definition, services } = options;
  const { name } = definition;
  const url = addressOf(definition);
  await assertAllowed(options, signal);
  const headers = await ownHeaders(options, url, signal);
  const fetch = agentFetch({ name, services, secret: undefined, headers, isForCard: true });
  const used = await agentCard({ name, url, fetch, signal });
  const keyHeader = (used.keyHeader ?? "authorization").toLowerCase();
  const isTwice = Object.keys(headers?.values ?? {}).some((header) => header.toLowerCase() === keyHeader);
  if (definition.apiKey !== undefined && isTwice)
    throw new AgentError(
      `${name} takes its key in the header ${keyHeader}, which \`headers\` has as well; remove it there, or \`apiKey\`, in the team file.`,
    );
  return { used, headers };
}

/**
 * Asks the user about the address of the team file: this machine needs no permission, unless headers go there.
 * @throws AgentError.
 */
export async function assertAllowed({ definition, services }: AgentPlace, signal: AbortSignal): Promise<void> {
  const { name, apiKey } = definition;
  const url = addressOf(definition);
  const agent = withHeaders(definition);
  const ask =
    agent === undefined
      ? () => isLoopback(url.hostname) || services.mayReach(url.origin, name, apiKey?.secret, signal)
      : () => services.maySendHeaders(agent, signal);
  await assertAnswer(ask, { name, where: url.origin, signal });
}

/**
 * Asks about the address that a card names, where that is elsewhere: also this machine, if the card is not there.
 * @throws AgentError.
 */
export async function assertAddressAllowed(
  { definition, services }: AgentPlace,
  address: URL,
  signal: AbortSignal,
): Promise<void> {
  const { name, apiKey } = definition;
  const card = addressOf(definition);
  if (address.origin === card.origin || (isLoopback(address.hostname) && isLoopback(card.hostname))) return;
  const where = `${address.origin}, where its card at ${card.host} says that it is`;
  await assertAnswer(() => services.mayReach(address.origin, name, apiKey?.secret, signal), { name, where, signal });
}

interface Asked {
  readonly name: string;
  readonly where: string;
  readonly signal: AbortSignal;
}

async function assertAnswer(ask: () => Promise<boolean> | boolean, { name, where, signal }: Asked): Promise<void> {
  let isAllowed: boolean;
  try {
    isAllowed = await ask();
  } catch (error) {
    signal.throwIfAborted();
    throw new AgentError(
      `Nothing was sent to ${name}: you could not be asked about ${where} (${messageOf(error).replace(/\.$/, "")}).`,
    );
  }
  signal.throwIfAborted();
  if (!isAllowed)
    throw new NotAllowed(`Nothing was sent to ${name}, as you have not allowed ${where}; continue to be asked again.`);
}

/** What the headers of requests to the agent's origin are. @throws AgentError for one that cannot be sent. */
async function ownHeaders(
  { definition, services }: AgentPlace,
  { origin }: URL,
  signal: AbortSignal,
): Promise<OwnHeaders | undefined> {
  const agent = withHeaders(definition);
  if (agent === undefined) return undefined;
  const { name, headers } = agent;
  const values = await services.filledIn(agent, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new AgentError(`Nothing was sent to ${name}, as ${messageOf(error)}; continue to be asked again.`);
  });
  const wrong = Object.keys(values).find((header) => !isSendable(values[header] ?? ""));
  if (wrong !== undefined)
    throw new AgentError(
      `Nothing was sent to ${name}, as its header ${wrong} has a line break or another character that none can have; correct what it is filled in with.`,
    );
  return { origin, values, isEntered: Object.values(headers).some((value) => value.includes("${input:")) };
}

function withHeaders({ name, url = "", headers = {} }: ParticipantDefinition): AgentWithHeaders | undefined {
  return Object.keys(headers).length === 0 ? undefined : { name, url, headers };
}

/** @throws AgentError. */
export function addressOf({ name, url }: ParticipantDefinition): URL {
  const address = URL.parse(url ?? "");
  if (address === null) throw new AgentError(`${name} has no \`url\` in the team file; give one.`);
  return address;
}
