import { connectionFailure, StreamError } from "./failures/failure.ts";
import { MOST_BYTES, refusalOf } from "./failures/refusal.ts";
import type { Send } from "./network/network.ts";
import { type Answer, type Post, send as sendDirectly } from "./network/send.ts";

/** Redirects that repeat the request as it is (RFC 9110, 15.4); the others would turn it into one without a body. */
const REPEATS_REQUEST: ReadonlySet<number> = new Set([307, 308]);

const MOST_REDIRECTS = 5;

/**
 * Sends a request to an endpoint, and follows a redirect only within its origin: a key or a message must not reach an
 * endpoint that the user was not asked about.
 *
 * @throws StreamError when there is no answer, or one that is not a success, of which only the start is read.
 */
export async function post(address: URL, request: Post, send: Send = sendDirectly): Promise<Answer> {
  let url = address;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await answerTo(url, request, send);
    if (answer.status >= 200 && answer.status < 300) return answer;
    const text = await startOf(answer.body);
    const next = REPEATS_REQUEST.has(answer.status) ? targetOf(answer, url) : null;
    if (next?.origin !== address.origin || redirects === MOST_REDIRECTS) throw new StreamError(refusalOf(answer, text));
    url = next;
  }
}

async function answerTo(url: URL, request: Post, send: Send): Promise<Answer> {
  try {
    return await send(url, request);
  } catch (error) {
    throw new StreamError(connectionFailure(error));
  }
}

async function startOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const bytes of body) {
    text += decoder.decode(bytes.subarray(0, MOST_BYTES - size), { stream: true });
    size += bytes.length;
    if (size >= MOST_BYTES) break;
  }
  return text;
}

/** Null for an address that is malformed, or that has a user name or password. */
function targetOf({ headers }: Answer, base: URL): URL | null {
  const url = URL.parse(headers.location ?? "", base.href);
  return url === null || url.username !== "" || url.password !== "" ? null : url;
}
