import { GavelError } from "../../../shared/contract/errors.ts";
import { isPassing } from "./blocked-text.ts";
import type { Failure } from "./failure.ts";
import { isRetryable } from "./retry.ts";

/** A model is out of order or too busy, its account is refused or has nothing left, or it does not want to answer. */
type FailoverKind = "outage" | "account" | "refusal";

export interface Failover {
  readonly kind: FailoverKind;
  /** The cause in a few words, without what to do about it. */
  readonly reason: string;
  /** For how many milliseconds the endpoint asks to be left alone, if it does. */
  readonly restMs?: number;
}

const failovers = new WeakMap<Error, Failover>();

/** Remembers for the error of a model's failure that another model may answer; undefined where none may. */
export function withFailover<E extends Error>(error: E, failover: Failover | undefined): E {
  if (failover !== undefined) failovers.set(error, failover);
  return error;
}

/** Why another model may answer after a failed request; undefined if that would not help, or hide a mistake. */
export function failoverOf(error: unknown): Failover | undefined {
  if (!(error instanceof GavelError)) return undefined;
  // A key that is missing or malformed.
  const hasNoKey = error.data["fix"] === "apiKey";
  return failovers.get(error) ?? (hasNoKey ? { kind: "account", reason: error.message } : undefined);
}

/** Statuses of a refused account: not signed in, nothing left to spend, not allowed. */
const ACCOUNT: ReadonlySet<number> = new Set([401, 402, 403]);

/**
 * Whether another model may answer after this failure. A request that the endpoint refuses for what it says is not sent to
 * others: its settings or its length have to be corrected.
 */
export function failoverFor(failure: Failure): FailoverKind | undefined {
  switch (failure.kind) {
    case "refused":
      if (ACCOUNT.has(failure.status) || failure.code === "insufficient_quota") return "account";
      if (failure.code === "content_filter" || failure.code === "content_policy_violation") return "refusal";
      // A model that is gone.
      return isRetryable(failure) || failure.status === 404 ? "outage" : undefined;
    case "reported":
      return failure.code === "content_filter" ? "refusal" : isRetryable(failure) ? "outage" : undefined;
    case "asksToWait":
    case "unreachable":
    case "timedOut":
    case "cutOff":
    case "malformed":
      return "outage";
    case "exceeded":
      return failure.limit === "idleSeconds" ? "outage" : undefined;
    case "blocked":
      return isPassing(failure.problem) ? "outage" : undefined;
    case "withheld":
      return "refusal";
    case "redirected":
    case "outOfTokens":
    case "unexpected":
      return undefined;
    default:
      return failure satisfies never;
  }
}
