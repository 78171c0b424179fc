import { messageOf } from "../../shared/contract/errors.ts";
import { AgentError } from "../agents/agent-error.ts";
import { LostConnection, plainText } from "./link-errors.ts";
import type { RemoteServices } from "./remote-services.ts";

export interface AgentFetchOptions {
  /** The participant, for errors. */
  readonly name: string;
  readonly services: Pick<RemoteServices, "fetch" | "key">;
  /** The name of the key that is sent; none if left out. */
  readonly secret: string | undefined;
  /** The header for the key; a bearer token if left out. */
  readonly keyHeader?: string | undefined;
  readonly headers?: OwnHeaders | undefined;
  /** Whether the request is for its card, which gets no key. */
  readonly isForCard?: boolean;
}

/** The headers that the team file has for an agent. */
export interface OwnHeaders {
  /** They go to its own origin only. */
  readonly origin: string;
  readonly values: Readonly<Record<string, string>>;
  /** Whether the user has entered a part of them. */
  readonly isEntered: boolean;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Requests to an agent, with its key and headers. What these and their bodies reject with is an AgentError: a sentence. */
export function agentFetch(options: AgentFetchOptions): Fetch {
  const { name, services, secret, keyHeader, headers: own } = options;
  return async (input, init = {}) => {
    const url = new URL(input);
    const headers = new Headers(init.headers);
    const sent = own?.origin === url.origin ? own : undefined;
    for (const [header, value] of Object.entries(sent?.values ?? {})) headers.set(header, value);
    if (secret !== undefined) {
      const key = await keyFor(services, name, secret, url);
      if (keyHeader === undefined) headers.set("authorization", `Bearer ${key}`);
      else headers.set(keyHeader, key);
    }
    let response: Response;
    try {
      response = await services.fetch(url, { ...init, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw lost(name, url, error);
    }
    const { status } = response;
    const problem = statusProblem({ ...options, headers: sent }, url, response);
    if (problem !== undefined) {
      await response.body?.cancel();
      throw problem;
    }
    const body = response.body === null ? null : ReadableStream.from(readable(response.body, name, url, init.signal));
    return new Response(body, { status, headers: response.headers });
  };
}

function statusProblem(
  { name, ...how }: Omit<AgentFetchOptions, "services">,
  { host }: URL,
  { ok, status, headers }: Response,
): AgentError | undefined {
  if (ok) return undefined;
  if (status === 401 || status === 403)
    return new AgentError(`${name} refused the request (${status} from ${host}), as ${refusalText(how)}.`);
  const location = headers.get("location");
  if (location !== null && status < 400)
    return new AgentError(
      `${name} is not at ${host}, which leads to ${plainText(location)}; correct \`url\` in the team file.`,
    );
  // The protocol has errors of its own.
  if (headers.get("content-type")?.includes("json") === true) return undefined;
  const answered = `${name} cannot answer: ${host} answered ${status}`;
  return status >= 500 || status === 429
    ? new LostConnection(`${answered}; continue to try again.`)
    : new AgentError(`${answered}; correct \`url\` in the team file.`);
}

/** Why an agent may have refused a request, and what to do. */
function refusalText({
  secret,
  headers,
  isForCard,
}: Pick<AgentFetchOptions, "secret" | "headers" | "isForCard">): string {
  if (secret !== undefined) return `the key "${secret}" is not accepted: correct it, or name another in the team file`;
  if (headers !== undefined) {
    const again = headers.isEntered
      ? ", or take back what you allowed in Allowed Programs to enter its secret again"
      : "";
    return `its \`headers\` are not accepted: correct them in the team file${again}`;
  }
  return isForCard === true
    ? "its card needs a key, which only `headers` can carry: give them in the team file"
    : "it needs a key: give its `apiKey` or `headers` in the team file";
}

async function* readable(
  body: ReadableStream<Uint8Array>,
  name: string,
  url: URL,
  signal: AbortSignal | null | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw lost(name, url, error);
  }
}

/** Errors of the network have a code; others are about what was sent. */
function lost(name: string, { host }: URL, error: unknown): AgentError {
  const why = plainText(messageOf(error));
  const isNetwork = error instanceof Error && (error.name === "NetworkError" || "code" in error);
  if (!isNetwork) return new AgentError(`${name} was stopped: ${why}; ask whoever runs the agent at ${host}.`);
  const code = "code" in error && typeof error.code === "string" ? error.code : why;
  return new LostConnection(
    `${name} cannot be reached at ${host} (${code}); check that it runs and that \`url\` is right, and continue.`,
  );
}

async function keyFor(services: Pick<RemoteServices, "key">, name: string, secret: string, url: URL): Promise<string> {
  const key = (await services.key(secret, url, name).catch(() => null))?.trim() ?? "";
  if (key === "")
    throw new AgentError(
      `${name} needs a key, and "${secret}" is not stored or may not be sent to ${url.host}; set the key, or name another in the team file.`,
    );
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new AgentError(
      `The key "${secret}" for ${name} contains spaces or characters that a key cannot have; store it again.`,
    );
  return key;
}
