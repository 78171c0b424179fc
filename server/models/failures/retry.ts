import { isPassing } from "./blocked-text.ts";
import type { Failure } from "./failure.ts";

/** The rules of OpenAI's SDK for Node (7.57, `client.js`: `shouldRetry`, `retryRequest`). */
const DEFAULT_RETRIES = 2;
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
/** The largest fraction by which a backoff is randomly shortened. */
const JITTER = 0.25;

/** A longer requested wait (a daily quota) is not waited for; the request fails instead. */
export const LONGEST_REQUESTED_WAIT_MS = 600_000;

const RETRYABLE_STATUS = (status: number): boolean => [408, 409, 429].includes(status) || status >= 500;
const RETRYABLE_CODE = /rate_limit|overloaded|server_error|api_error|internal|unavailable|timeout/i;

/** How often a failed request is retried. */
export const retriesOf = (maxRetries: number | undefined): number => maxRetries ?? DEFAULT_RETRIES;

/** Whether the same request may succeed later. */
export function isRetryable(failure: Failure): boolean {
  switch (failure.kind) {
    case "refused": {
      const shouldRetry = failure.headers?.["x-should-retry"];
      return shouldRetry === "true" || (shouldRetry !== "false" && RETRYABLE_STATUS(failure.status));
    }
    case "reported":
      return failure.status === undefined ? RETRYABLE_CODE.test(failure.code ?? "") : RETRYABLE_STATUS(failure.status);
    case "unreachable":
    case "timedOut":
    case "cutOff":
    case "malformed":
      return true;
    case "blocked":
      return isPassing(failure.problem);
    // Not while another model could answer.
    case "asksToWait":
    case "redirected":
    case "exceeded":
    case "withheld":
    case "outOfTokens":
    case "unexpected":
      return false;
    default:
      return failure satisfies never;
  }
}

/**
 * How many milliseconds to wait before the given retry (1 for the first), or undefined when the request is not retried.
 */
export function retryWait(failure: Failure, retry: number, now: number): number | undefined {
  if (!isRetryable(failure)) return undefined;
  const requested = requestedWait(failure, now);
  if (requested === undefined) return backoff(retry);
  return requested > LONGEST_REQUESTED_WAIT_MS ? undefined : requested;
}

/** Whether the endpoint takes no more requests at the moment. An account without quota left is not helped by a wait. */
export function isRateLimit(failure: Failure): boolean {
  if (failure.kind === "refused") return failure.status === 429 && !hasNoQuota(failure);
  if (failure.kind !== "reported") return false;
  return failure.status === 429 || /^rate_limit/i.test(failure.code ?? "");
}

/** Whether the account has nothing left to spend. */
export const hasNoQuota = ({ code, text }: Extract<Failure, { readonly kind: "refused" }>): boolean =>
  code === "insufficient_quota" || /credit balance is too low/i.test(text);

/** How many milliseconds the endpoint asks to wait, if it does. */
export function requestedWait(failure: Failure, now: number): number | undefined {
  if (failure.kind !== "refused" || failure.headers === undefined) return undefined;
  const { headers } = failure;
  const milliseconds = Number.parseFloat(String(headers["retry-after-ms"]));
  if (milliseconds > 0) return milliseconds;
  const after = headers["retry-after"] ?? "";
  const seconds = Number.parseFloat(after);
  // A date is that of the endpoint's clock, which the response may tell.
  const sentAt = Date.parse(headers.date ?? "");
  const wait = Number.isNaN(seconds) ? Date.parse(after) - (Number.isNaN(sentAt) ? now : sentAt) : seconds * 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** How many milliseconds to wait before a retry (1 for the first) if the endpoint does not say. */
export function backoff(retry: number): number {
  const full = Math.min(FIRST_WAIT_MS * 2 ** (retry - 1), LONGEST_BACKOFF_MS);
  return full * (1 - Math.random() * JITTER);
}
