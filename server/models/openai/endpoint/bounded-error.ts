import { LIMITS } from "../../../../shared/limits.ts";
import { parseJson } from "../../../../shared/parse-json.ts";

/** How much of an endpoint's error is read, in bytes. */
const MOST_BYTES = 64 * 1024;

/** The largest status that a `Response` can be made with. */
const LAST_STATUS = 599;

/**
 * The response as it is or, unless it is a success, with at most the start of its body: the SDK reads all of an error, and
 * works with its JSON.
 */
export async function withBoundedError(response: Response): Promise<Response> {
  if (response.ok || response.body === null) return response;
  const { headers, statusText } = response;
  const status = Math.min(response.status, LAST_STATUS);
  return new Response(withoutDeepJson(await startOf(response.body)), { status, statusText, headers });
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

/** Nothing in place of JSON that is nested too deep to be written as text. */
function withoutDeepJson(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof RangeError) return `It is nested more than ${LIMITS.value.depth} levels deep.`;
  }
  return text;
}
