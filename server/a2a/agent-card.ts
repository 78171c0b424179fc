import { AgentCard } from "@a2a-js/sdk";
import { DefaultAgentCardResolver } from "@a2a-js/sdk/client";
import { isRecord, type JsonRecord } from "../../shared/json-record.ts";
import { parseJson } from "../../shared/parse-json.ts";
import { AgentError } from "../agents/agent-error.ts";
import { isSetByGavel } from "./agent-headers.ts";

/** The longest card that is read, in bytes, and how long it may take, in milliseconds. */
const MAX_CARD = 1024 * 1024;
const CARD_MS = 30_000;

/** How many of a card's addresses are looked at. */
const MAX_INTERFACES = 50;

/** Where cards are: today, and in versions before 0.3. */
const CARD_PATHS = [".well-known/agent-card.json", ".well-known/agent.json"];

/** The ways to speak with an agent that Gavel knows. */
const BINDINGS = ["JSONRPC", "HTTP+JSON"];

/** What is used of an agent's card. */
export interface UsedCard {
  /** A card that has one address alone. */
  readonly card: AgentCard;
  readonly address: URL;
  /** The header for a key, where the card names one; else it is a bearer token. */
  readonly keyHeader: string | undefined;
}

export interface CardRequest {
  /** The participant, for errors. */
  readonly name: string;
  /** As the team file has it: where the agent is, or its card. */
  readonly url: URL;
  readonly fetch: (url: URL, init: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
  /** How long the card may take, in milliseconds. */
  readonly limitMs?: number;
}

/** Reads the card of an agent. @throws AgentError, one sentence. */
export async function agentCard(request: CardRequest): Promise<UsedCard> {
  const { name, url } = request;
  const text = await cardText(request);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new AgentError(`${name} has no agent card at ${url.host}: what is there is not JSON; correct \`url\`.`);
  }
  if (!isRecord(value) || typeof value["name"] !== "string" || !("url" in value || "supportedInterfaces" in value))
    throw new AgentError(`${name} has no agent card at ${url.host}; correct \`url\` in the team file.`);
  return usedCard(request, value);
}

function usedCard({ name, url }: CardRequest, value: JsonRecord): UsedCard {
  let card: AgentCard;
  try {
    const normal: unknown = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }).normalizeAgentCard(value);
    card = AgentCard.fromJSON(isRecord(normal) ? { ...normal, signatures: [] } : {});
  } catch {
    throw new AgentError(
      `The agent card of ${name} at ${url.host} is not valid; ask whoever runs the agent to correct it.`,
    );
  }
  const usable = card.supportedInterfaces.slice(0, MAX_INTERFACES).flatMap((one) => {
    const binding = BINDINGS.find((known) => known === one.protocolBinding.toUpperCase());
    const address = URL.parse(one.url);
    const isWeb = address?.protocol === "https:" || address?.protocol === "http:";
    if (binding === undefined || !address || !isWeb) return [];
    return [{ ...one, url: address.href, protocolBinding: binding, address }];
  });
  const known = usable.flatMap((one) => {
    const version = knownVersion(one.protocolVersion);
    return version === undefined ? [] : [{ ...one, protocolVersion: version }];
  });
  // An address of its own origin needs no further question.
  const chosen = known.find(({ address }) => address.origin === url.origin) ?? known[0];
  if (chosen === undefined) throw new AgentError(unusableText(name, card, usable.length > 0));
  const { address, ...used } = chosen;
  if (address.username !== "" || address.password !== "")
    throw new AgentError(
      `The agent card of ${name} has an address with a password; ask whoever runs the agent to correct it.`,
    );
  return { card: { ...card, supportedInterfaces: [used] }, address, keyHeader: keyHeaderOf(value["securitySchemes"]) };
}

/** Of version 1 or 0.3, as the SDK knows them; those before 0.3 differ in what is not used here. */
function knownVersion(version: string): string | undefined {
  if (/^1(\.|$)/.test(version)) return "1.0";
  return version === "" || /^0\./.test(version) ? "0.3" : undefined;
}

function unusableText(name: string, { supportedInterfaces }: AgentCard, hasBinding: boolean): string {
  const listed = (texts: readonly string[]): string =>
    [
      ...new Set(
        texts.map((text) =>
          text
            .replace(/\p{C}+/gu, " ")
            .trim()
            .slice(0, 40),
        ),
      ),
    ]
      .slice(0, 5)
      .join(", ") || "nothing";
  return hasBinding
    ? `${name} speaks version ${listed(supportedInterfaces.map((one) => one.protocolVersion))} of Agent2Agent, and Gavel 1.0 and 0.3; use a version of the agent that speaks one of these.`
    : `${name} can only be reached by ${listed(supportedInterfaces.map((one) => one.protocolBinding))}, and Gavel knows ${BINDINGS.join(" and ")} over http and https; ask whoever runs the agent for one of these.`;
}

/** Headers that a card may not choose, as they mean something else. */
const isReserved = (name: string): boolean => isSetByGavel(name) || /^(cookie|a2a-.*)$/i.test(name);

/** Of a card of version 1, or of 0.3. */
function keyHeaderOf(schemes: unknown): string | undefined {
  for (const scheme of isRecord(schemes) ? Object.values(schemes) : []) {
    if (!isRecord(scheme)) continue;
    const key = scheme["type"] === "apiKey" ? scheme : scheme["apiKeySecurityScheme"];
    if (!isRecord(key) || (key["location"] ?? key["in"]) !== "header") continue;
    const { name } = key;
    if (typeof name === "string" && /^[A-Za-z0-9-]{1,100}$/.test(name) && !isReserved(name)) return name;
  }
  return undefined;
}

async function cardText({ name, url, fetch, signal, limitMs = CARD_MS }: CardRequest): Promise<string> {
  const late = AbortSignal.timeout(limitMs);
  const isCard = /\.json$/i.test(url.pathname);
  const base = url.pathname.endsWith("/") ? url : new URL(`${url.pathname}/`, url);
  const places = isCard ? [url] : CARD_PATHS.map((path) => new URL(path, base));
  try {
    for (const place of places) {
      const response = await fetch(place, {
        headers: { accept: "application/json" },
        signal: AbortSignal.any([signal, late]),
      });
      if (response.ok) return await limitedText(response, name);
      await response.body?.cancel();
      if (response.status !== 404)
        throw new AgentError(
          `${name} did not give its agent card: ${url.host} answered ${response.status}${hint(response)}; correct \`url\` or \`apiKey\` in the team file.`,
        );
    }
  } catch (error) {
    if (late.aborted && !signal.aborted)
      throw new AgentError(
        `${name} did not give its agent card within ${limitMs / 1000} s; check that it runs at ${url.host}, and continue.`,
      );
    throw error;
  }
  throw new AgentError(`${name} has no agent card at ${url.href.slice(0, 300)}; correct \`url\` in the team file.`);
}

/** Where a redirect leads: it is not followed. */
function hint(response: Response): string {
  const location = response.headers.get("location");
  return location === null ? "" : ` (a redirect to ${location.replace(/\p{C}+/gu, "").slice(0, 200)})`;
}

async function limitedText(response: Response, name: string): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_CARD)
      throw new AgentError(
        `The agent card of ${name} has more than ${MAX_CARD / 1024 / 1024} MB; correct \`url\` in the team file.`,
      );
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
