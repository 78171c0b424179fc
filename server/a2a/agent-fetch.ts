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
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Requests to an agent, with its key. What these reject with, and their bodies, is an AgentError with one sentence. */
export function agentFetch({ name, services, secret, keyHeader }: AgentFetchOptions): Fetch {
  return async (input, init = {}) => {
    const url = new URL(input);
    const headers = new Headers(init.headers);
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
    const problem = statusProblem({ name, secret }, url, response);
    if (problem !== undefined) {
      await response.body?.cancel();
      throw problem;
    }
    const body = response.body === null ? null : ReadableStream.from(readable(response.body, name, url, init.signal));
    return new Response(body, { status, headers: response.headers });
  };
}

function statusProblem(
  { name, secret }: Pick<AgentFetchOptions, "name" | "secret">,
  { host }: URL,
  { ok, status, headers }: Response,
): AgentError | undefined {
  if (ok) return undefined;
  if (status === 401 || status === 403) {
    const what =
      secret === undefined
        ? `it needs a key: give its \`apiKey\``
        : `the key "${secret}" is not accepted: correct it, or name another`;
    return new AgentError(`${name} refused the request (${status} from ${host}), as ${what} in the team file.`);
  }
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
