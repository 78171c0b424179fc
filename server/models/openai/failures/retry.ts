import type { Fault } from "./failure.ts";

/** The SDK's own rules (openai 7.57, `client.js`: `shouldRetry`, `retryRequest`), which its `maxRetries: 0` leaves to us. */
const DEFAULT_RETRIES = 2;
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
/** The part of a backoff that chance may take off. */
const JITTER = 0.25;

/** An endpoint that asks for more than this (a daily quota) is not waited for: the user is told instead. */
const LONGEST_ASKED_WAIT_MS = 600_000;

const RETRYABLE_STATUS = (status: number): boolean => [408, 409, 429].includes(status) || status >= 500;
const RETRYABLE_CODE = /rate_limit|overloaded|server_error|internal|unavailable|timeout/i;

/** How often a failed request is made again. */
export const retriesOf = (maxRetries: number | undefined): number => maxRetries ?? DEFAULT_RETRIES;

/** Whether the same request may well succeed later. */
export function isRetryable(fault: Fault): boolean {
  switch (fault.kind) {
    case "refused": {
      const told = fault.headers?.get("x-should-retry");
      return told === "true" || (told !== "false" && RETRYABLE_STATUS(fault.status));
    }
    case "reported":
      return fault.status === undefined ? RETRYABLE_CODE.test(fault.code ?? "") : RETRYABLE_STATUS(fault.status);
    case "unreachable":
    case "timedOut":
    case "cutOff":
    case "rubbish":
      return true;
    case "withheld":
    case "unexpected":
      return false;
    default:
      return fault satisfies never;
  }
}

/**
 * How many milliseconds to wait before attempt `retry` (1 for the first repetition) is made, or undefined when there is to
 * be none.
 */
export function retryWait(fault: Fault, retry: number, now: number): number | undefined {
  if (!isRetryable(fault)) return undefined;
  const asked = fault.kind === "refused" && fault.headers !== undefined ? askedWait(fault.headers, now) : undefined;
  if (asked === undefined) return backoff(retry);
  return asked > LONGEST_ASKED_WAIT_MS ? undefined : asked;
}

function askedWait(headers: Headers, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers.get("retry-after-ms") ?? "");
  if (milliseconds > 0) return milliseconds;
  const after = headers.get("retry-after") ?? "";
  const seconds = Number.parseFloat(after);
  const wait = Number.isNaN(seconds) ? Date.parse(after) - now : seconds * 1000;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function backoff(retry: number): number {
  const full = Math.min(FIRST_WAIT_MS * 2 ** (retry - 1), LONGEST_BACKOFF_MS);
  return full * (1 - Math.random() * JITTER);
}
