import { withBoundedError } from "./bounded-error.ts";
import { patience } from "./patience.ts";

/** Redirects that repeat the request as it is (RFC 9110, 15.4); the others would turn it into one without a body. */
const REPEATS_REQUEST: ReadonlySet<number> = new Set([307, 308]);

const MOST_REDIRECTS = 5;

/**
 * `fetch` that follows a redirect only within the origin of the address: a key or a message must not reach an endpoint that
 * the user was not asked about. Any other redirect is returned as the response. Of an error only the start is read.
 */
export async function fetchWithinOrigin(address: string | URL | Request, init?: RequestInit): Promise<Response> {
  let url = new URL(address instanceof Request ? address.url : address);
  const patient = patience();
  for (let redirects = 0; ; redirects += 1) {
    const response = await fetch(url, { ...init, ...patient, redirect: "manual" });
    const next = REPEATS_REQUEST.has(response.status) ? targetOf(response, url) : null;
    if (next?.origin !== url.origin || redirects === MOST_REDIRECTS) return withBoundedError(response);
    await response.body?.cancel();
    url = next;
  }
}

/** Null for an address that is malformed, or that has a user name or password, which `fetch` refuses. */
function targetOf(response: Response, base: URL): URL | null {
  const url = URL.parse(response.headers.get("location") ?? "", base.href);
  return url === null || url.username !== "" || url.password !== "" ? null : url;
}
