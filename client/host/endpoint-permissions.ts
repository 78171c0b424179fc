import type { LogOutputChannel, Memento } from "vscode";
import { isLoopback } from "../../shared/loopback.ts";
import { whoIsThere } from "../../shared/text/endpoint-text.ts";
import { listText } from "../../shared/text/list-text.ts";
import { visibleText } from "../../shared/text/visible-text.ts";

/** Kept in global state, where no workspace can change it. */
const ALLOWED = "gavel.endpoints";
/** Until version 0.3: the hosts to which each key may be sent, without their schemes. */
const ALLOWED_UNTIL_0_3 = "gavel.keyHosts";

/** The names of the keys that may be sent to each origin (scheme, host and port); messages may be sent to all of them. */
type Allowed = Readonly<Record<string, readonly string[]>>;

/** What a team file asks for: to send messages to an origin and, with `secret`, the key of that name. */
export interface EndpointRequest {
  readonly origin: string;
  readonly secret?: string | undefined;
  /** The participant that is there; left out for a model. */
  readonly agent?: string | undefined;
}

const ALLOW = "Allow";

/** Asks in a modal dialog; returns the label of the button that was clicked. */
type Ask = (question: string, detail: string, answer: typeof ALLOW) => Thenable<typeof ALLOW | undefined>;

/**
 * Asks the user once for each origin whether messages, and once for each key whether that key may be sent there: a team
 * file names both, and may come from anyone.
 */
export class EndpointPermissions {
  readonly #memento: Memento;
  readonly #ask: Ask;
  readonly #log: LogOutputChannel;
  /** Questions that are open: participants that need the same answer at the same time share one. */
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(memento: Memento, ask: Ask, log: LogOutputChannel) {
    this.#memento = memento;
    this.#ask = ask;
    this.#log = log;
  }

  /** The origins that are allowed, each with the names of the keys that may be sent there. */
  get all(): Allowed {
    const allowed = new Map<string, readonly string[]>();
    for (const [origin, keys] of entries(this.#memento.get(ALLOWED))) allowed.set(origin, keys);
    // A permission without a scheme counts for https only: for http the user is asked.
    for (const [key, hosts] of entries(this.#memento.get(ALLOWED_UNTIL_0_3))) {
      for (const origin of hosts.map((host) => `https://${host}`)) {
        allowed.set(origin, [...new Set([...(allowed.get(origin) ?? []), key])]);
      }
    }
    return Object.fromEntries(allowed);
  }

  /** Whether messages may be sent to the origin. */
  has(origin: string): boolean {
    return this.#covers({ origin });
  }

  /** Whether what is requested may be sent; asks the user the first time. */
  async isAllowed(request: EndpointRequest): Promise<boolean> {
    if (this.#covers(request)) return true;
    const id = JSON.stringify([request.origin, request.secret]);
    const asked = this.#asking.get(id) ?? this.#answer(request).finally(() => this.#asking.delete(id));
    this.#asking.set(id, asked);
    return asked;
  }

  /** Forgets an origin, with the keys that could be sent there. */
  async forget(origin: string): Promise<void> {
    await this.#save(Object.entries(this.all).filter(([other]) => other !== origin));
  }

  /** Forgets where a key may be sent. */
  async forgetKey(name: string): Promise<void> {
    const kept = Object.entries(this.all).map(
      ([origin, keys]) => [origin, keys.filter((key) => key !== name)] as const,
    );
    await this.#save(kept);
  }

  #covers({ origin, secret }: EndpointRequest): boolean {
    const keys = new Map(Object.entries(this.all)).get(origin);
    return keys !== undefined && (secret === undefined || keys.includes(secret));
  }

  async #answer(request: EndpointRequest): Promise<boolean> {
    const { origin, secret } = request;
    const answer = await this.#ask(question(request), this.#detail(request), ALLOW);
    const what = secret === undefined ? "Messages" : `Messages and the API key "${secret}"`;
    this.#log.info(`${what} to ${origin}: ${answer === ALLOW ? "allowed" : "not allowed"}.`);
    if (answer !== ALLOW) return false;
    const { all } = this;
    const keys = [...(all[origin] ?? []), ...(secret === undefined ? [] : [secret])];
    await this.#save(Object.entries({ ...all, [origin]: [...new Set(keys)] }));
    return true;
  }

  #detail({ origin, secret, agent }: EndpointRequest): string {
    const sent = `${whoIsThere(agent)} It gets the conversation, with everything that participants read from your files${secret === undefined ? "" : ", and the key"}.`;
    const others = Object.entries(this.all).flatMap(([other, keys]) => (keys.includes(secret ?? "") ? [other] : []));
    const history = others.length === 0 ? [] : [`So far, Gavel has sent this key only to ${listText(others)}.`];
    const { protocol, hostname } = new URL(origin);
    const open = protocol === "https:" || isLoopback(hostname) ? [] : ["The connection is not encrypted."];
    return [sent, ...history, ...open, `If you allow it, Gavel will not ask again for ${origin}.`].join("\n\n");
  }

  async #save(allowed: Iterable<readonly [string, readonly string[]]>): Promise<void> {
    await this.#memento.update(ALLOWED, Object.fromEntries(allowed));
    await this.#memento.update(ALLOWED_UNTIL_0_3, undefined);
  }
}

function question({ origin, secret }: EndpointRequest): string {
  return secret === undefined
    ? `Send messages to ${origin}?`
    : `Send messages and your key "${visibleText(secret).text}" to ${origin}?`;
}

/** What is stored, as far as it has the right form. */
function entries(stored: unknown): readonly (readonly [string, readonly string[]])[] {
  if (typeof stored !== "object" || stored === null) return [];
  return Object.entries(stored).flatMap(([name, values]: [string, unknown]) =>
    Array.isArray(values) ? [[name, values.filter((value) => typeof value === "string")] as const] : [],
  );
}
