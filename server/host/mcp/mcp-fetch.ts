import type { Answer, Network, Post, Send } from "../../models/index.ts";
import { assertNotLocal, hostAndPort, LocalAddressError, publicLookup } from "../../tools/index.ts";
import type { McpFetch } from "./server-environment.ts";

/** Bytes of an answer, or of one event of a stream, that are read. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Answers that have no body. */
const EMPTY = [101, 204, 205, 304];

/** How requests to servers are sent. */
export interface McpNetwork {
  /** Sends as the user's network settings say. Redirects are not followed. */
  readonly network: Pick<Network, "send" | "sendResolved">;
  /** Hosts that may be reached although they are on this computer or in a private network. */
  readonly localHosts: () => readonly string[];
}

/** A `fetch` that reads a limited amount. Redirects are not followed. */
export const limitedFetch =
  (send: Send): McpFetch =>
  async (input, init = {}) => {
    const { status, headers, body } = await send(new URL(input), requestOf(init));
    const answered = new Headers();
    for (const [name, value] of Object.entries(headers)) {
      for (const one of [value].flat()) if (one !== undefined) answered.append(name, one);
    }
    const isStream = answered.get("content-type")?.startsWith("text/event-stream") === true;
    const content = EMPTY.includes(status) ? null : streamOf(limited(body, isStream));
    return new Response(content, { status, headers: answered });
  };

/**
 * The `fetch` of one server. Other origins are where the server says that the user signs in: a server that is elsewhere
 * cannot make Gavel send requests to this computer and to private networks.
 */
export const mcpFetch =
  ({ network, localHosts }: McpNetwork) =>
  (server: URL): McpFetch =>
    limitedFetch((url, request) =>
      url.origin === server.origin || isLocal(server)
        ? network.send(url, request)
        : sendElsewhere(url, request, network, localHosts()),
    );

function isLocal(url: URL): boolean {
  try {
    assertNotLocal(url, []);
    return false;
  } catch {
    return true;
  }
}

/** @throws Error for a host of this computer or of a private network, unless the user allows it. */
async function sendElsewhere(
  url: URL,
  request: Post,
  network: McpNetwork["network"],
  allowed: readonly string[],
): Promise<Answer> {
  try {
    assertNotLocal(url, allowed);
    return await network.sendResolved(url, { ...request, lookup: publicLookup(url, allowed) });
  } catch (error) {
    if (!(error instanceof LocalAddressError)) throw error;
    const host = hostAndPort(url);
    throw new Error(
      `wants you to sign in at ${host}, which is on this computer or in a private network; to allow that, add ${host} to the setting gavel.webFetch.localHosts`,
    );
  }
}

/** @throws Error for a request that no client of these servers sends. */
function requestOf({ method = "GET", body, signal, headers: given }: RequestInit): Post {
  if (method !== "GET" && method !== "POST" && method !== "DELETE") throw new Error(`No server is sent a ${method}.`);
  const text = body instanceof URLSearchParams ? body.toString() : (body ?? "");
  if (typeof text !== "string") throw new Error("No server is sent a body that is not text.");
  const headers = new Headers(given);
  headers.set("user-agent", "Gavel");
  if (body instanceof URLSearchParams) headers.set("content-type", "application/x-www-form-urlencoded");
  if (text !== "") headers.set("content-length", String(Buffer.byteLength(text)));
  return { method, headers: Object.fromEntries(headers), body: text, signal: signal ?? new AbortController().signal };
}

async function* limited(
  body: AsyncIterable<Uint8Array>,
  isStream: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  let tail = Buffer.alloc(0);
  for await (const chunk of body) {
    // An empty line ends an event: what comes before that is kept in memory.
    const text = isStream ? Buffer.concat([tail, chunk]) : tail;
    const end = Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\n\r\n"));
    bytes = end === -1 ? bytes + chunk.length : text.length - end;
    tail = text.subarray(-2);
    if (bytes > MAX_BYTES) throw new Error(`it sent more than ${MAX_BYTES / 1024 / 1024} MB in one answer`);
    yield chunk;
  }
}

function streamOf(chunks: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return();
    },
  });
}
