import type { Send } from "../../models/index.ts";
import type { McpFetch } from "./server-environment.ts";

/** Bytes of an answer, or for a stream of events of one line, that are read. */
const MAX_BYTES = 8 * 1024 * 1024;
const NEWLINE = 0x0a;
/** Answers that have no body. */
const EMPTY = [101, 204, 205, 304];

/** A `fetch` that sends as the user's network settings say, and reads a limited amount. Redirects are not followed. */
export const mcpFetch =
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

/** @throws Error for a request that no client of these servers sends. */
function requestOf({ method = "GET", body, signal, headers: given }: RequestInit): Parameters<Send>[1] {
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
  for await (const chunk of body) {
    const end = isStream ? chunk.lastIndexOf(NEWLINE) : -1;
    bytes = end === -1 ? bytes + chunk.length : chunk.length - end;
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
