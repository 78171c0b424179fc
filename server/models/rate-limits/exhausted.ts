import { LONGEST_REQUESTED_WAIT_MS } from "../failures/retry.ts";
import type { Answer } from "../network/send.ts";

/** Where endpoints say how much of an allowance is left, and when it is full again: OpenAI's headers, and Anthropic's. */
const ALLOWANCES = [
  ...["requests", "tokens"].map((of) => ({ left: `x-ratelimit-remaining-${of}`, reset: `x-ratelimit-reset-${of}` })),
  ...["requests", "tokens", "input-tokens", "output-tokens"].map((of) => ({
    left: `anthropic-ratelimit-${of}-remaining`,
    reset: `anthropic-ratelimit-${of}-reset`,
  })),
];

/**
 * For how many milliseconds the endpoint takes no further request, by the headers of an answer: an allowance is used up.
 * Undefined if none is, or if that lasts too long to be waited for: the next request is then refused, which says so.
 */
export function exhaustedFor(headers: Answer["headers"], now: number): number | undefined {
  const waits = ALLOWANCES.flatMap(({ left, reset }) => {
    const wait = textOf(headers[left]) === "0" ? waitUntil(textOf(headers[reset]), headers.date, now) : undefined;
    return wait !== undefined && wait > 0 && wait <= LONGEST_REQUESTED_WAIT_MS ? [wait] : [];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

const textOf = (value: string | readonly string[] | undefined): string =>
  typeof value === "string" ? value.trim() : "";

/** A duration such as `6m0s` or `20ms`, or a time by the endpoint's own clock, which the answer may tell. */
function waitUntil(reset: string, date: string | undefined, now: number): number | undefined {
  const duration = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6}(?:\.\d{1,9})?)s)?(?:(\d{1,9})ms)?$/.exec(reset);
  if (reset !== "" && duration !== null) {
    const [hours, minutes, seconds, milliseconds] = duration.slice(1).map((part) => Number(part ?? 0));
    return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000 + (seconds ?? 0) * 1_000 + (milliseconds ?? 0);
  }
  const at = Date.parse(reset);
  const sentAt = Date.parse(date ?? "");
  return Number.isNaN(at) ? undefined : at - (Number.isNaN(sentAt) ? now : sentAt);
}
