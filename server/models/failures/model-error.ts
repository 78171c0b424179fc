import { type GavelError, type ModelErrorDetails, modelError } from "../../../shared/contract/errors.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { Key, KeyOrigin } from "../endpoint/key.ts";
import { redact } from "../redaction/redact.ts";
import { blockedReason, blockedSentence } from "./blocked-text.ts";
import { type Failover, failoverFor, withFailover } from "./failover.ts";
import type { Failure } from "./failure.ts";
import { hasNoQuota, isRetryable } from "./retry.ts";

/** The call that failed. */
export interface FailedCall {
  readonly endpoint: Endpoint;
  readonly key: Key;
  readonly attempts: number;
  /** Whether part of the answer was already passed on; such a call is not retried. */
  readonly hasStarted: boolean;
}

type Redirect = Extract<Failure, { readonly kind: "redirected" }>;
type Refusal = Extract<Failure, { readonly kind: "refused" }>;

/** What to tell the user, and which action can be offered beside it. */
interface Explanation extends Pick<ModelErrorDetails, "fix" | "secret"> {
  readonly sentence: string;
}

/** How many characters of an endpoint's text are read at all, and how many are shown. */
const TEXT_READ = 4_000;
const TEXT_SHOWN = 200;

/** The error for a request that is not retried: one sentence that names the model, the endpoint's host and what to do. */
export function modelErrorFor(failure: Failure, failed: FailedCall): GavelError {
  const { endpoint, hasStarted } = failed;
  const { sentence, fix, secret } = explain(failure, failed);
  const status = "status" in failure ? failure.status : undefined;
  // The SDK's error is not kept as the cause: it holds the endpoint's headers and unredacted text.
  const error = modelError(sentence, {
    ...(status === undefined ? {} : { status }),
    retryable: !hasStarted && isRetryable(failure),
    ...(fix === undefined ? {} : { fix }),
    ...(secret === undefined ? {} : { secret }),
    model: endpoint.model,
    baseUrl: endpoint.baseUrl,
  });
  return withFailover(error, failoverWith(failure, endpoint));
}

function failoverWith(failure: Failure, endpoint: Endpoint): Failover | undefined {
  const kind = failoverFor(failure);
  if (kind === undefined) return undefined;
  const reason = kind === "account" ? `${endpoint.host} refused the account` : reasonOf(failure, endpoint);
  return { kind, reason, ...(failure.kind === "asksToWait" ? { restMs: failure.waitMs } : {}) };
}

/** Why an attempt failed, in a few words. Nothing that the endpoint wrote is repeated. */
export function reasonOf(failure: Failure, endpoint: Endpoint): string {
  const { host } = endpoint;
  switch (failure.kind) {
    case "refused":
      return failure.status === 429 ? `${host} is rate limiting (429)` : `${host} answered ${failure.status}`;
    case "redirected":
      return `${host} redirected the request (${failure.status})`;
    case "reported":
      return `${host} reported an error${failure.status === undefined ? "" : ` (${failure.status})`}`;
    case "blocked":
      return blockedReason(failure.problem, endpoint);
    case "unreachable":
      return `could not connect to ${host}${inParentheses(failure.code)}`;
    case "timedOut":
      return `${host} did not respond in time`;
    case "cutOff":
      return `${host} closed the connection`;
    case "malformed":
      return `${host} sent ${failure.what}`;
    case "exceeded":
      return `${host} ${failure.what}`;
    case "withheld":
      return `${host} withheld the answer`;
    case "outOfTokens":
      return `${host} ended the answer at a limit`;
    case "asksToWait":
      return `${host} asked to wait ${durationText(failure.waitMs)}`;
    case "unexpected":
      return "the request failed";
    default:
      return failure satisfies never;
  }
}

/** Such as `45 seconds` or `5 minutes`, rounded up. */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60).toLocaleString("en-US")} hours`;
}

/** Added where part of an answer had already arrived. */
const TEXT_IS_KEPT = "the text so far is kept, and running the team again continues from there.";

const addressSetting = ({ terms }: Endpoint): string => `its address (\`${terms.address}\`) in the team file`;

function explain(failure: Failure, failed: FailedCall): Explanation {
  switch (failure.kind) {
    case "refused":
      return explainRefusal(failure, failed);
    case "redirected":
      return { sentence: redirectSentence(failure, failed), fix: "teamFile" };
    case "reported":
    case "timedOut":
    case "cutOff":
    case "malformed":
      return {
        sentence: failed.hasStarted ? endedEarly(failure, failed) : unanswered(failure, failed),
        fix: "endpoint",
      };
    case "exceeded":
      return { sentence: exceededSentence(failure, failed), fix: "teamFile" };
    case "blocked":
      return { sentence: blockedSentence(failure.problem, failed.endpoint), fix: "network" };
    case "unreachable": {
      const what = `Could not connect to ${failed.endpoint.host} for ${failed.endpoint.model}${inParentheses(failure.code)}`;
      return {
        sentence: `${what}${afterAttempts(failed)}; start the endpoint, or correct ${addressSetting(failed.endpoint)}.`,
        fix: "endpoint",
      };
    }
    case "withheld":
      return { sentence: withheldSentence(failed) };
    case "outOfTokens":
      return { sentence: outOfTokensSentence(failure, failed), fix: "teamFile" };
    case "asksToWait": {
      const { host, model } = failed.endpoint;
      const wait = durationText(failure.waitMs);
      return { sentence: `${host} asks to wait ${wait} for ${model}; run the team again then.`, fix: "endpoint" };
    }
    case "unexpected": {
      const what = `The request to ${failed.endpoint.label} failed unexpectedly`;
      return {
        sentence: `${what}${quoted(failure.text, failed.key)}; try again, and report the problem if it persists.`,
      };
    }
    default:
      return failure satisfies never;
  }
}

function redirectSentence({ status, to }: Redirect, { endpoint: { host, origin, terms }, key }: FailedCall): string {
  if (to === undefined || to === origin)
    return `${host} answers only with redirects (${status}); correct \`${terms.address}\` in the team file.`;
  const target = redact(to, key.value);
  return `${host} redirects to ${target}, where nothing was sent; if you trust it, use its address as \`${terms.address}\` in the team file.`;
}

function exceededSentence(
  { what, limit }: Extract<Failure, { readonly kind: "exceeded" }>,
  { endpoint: { host, model }, hasStarted }: FailedCall,
): string {
  const when = hasStarted ? `while ${model} was answering; the text so far is kept, and` : `for ${model};`;
  return `${host} ${what} ${when} if the model needs more, raise its \`limits.${limit}\` in the team file.`;
}

function withheldSentence({ endpoint: { host, model }, hasStarted }: FailedCall): string {
  return hasStarted
    ? `${host} withheld the rest of the answer of ${model}; the text so far is kept; rephrase the task.`
    : `The content filter of ${host} withheld the whole answer of ${model}; rephrase the task.`;
}

function outOfTokensSentence(
  { limit }: Extract<Failure, { readonly kind: "outOfTokens" }>,
  { endpoint, hasStarted }: FailedCall,
): string {
  const kept = hasStarted ? `; ${TEXT_IS_KEPT.slice(0, -1)}` : "";
  return limit === "maxTokens"
    ? `${endpoint.label} reached the most tokens of one answer before its end${kept}; raise \`maxTokens\` in the team file, or ask for less.`
    : `The context window of ${endpoint.label} was full before the end of its answer${kept}; give the participant a shorter \`context\` in the team file.`;
}

type AnswerFailure = Extract<Failure, { readonly kind: "reported" | "timedOut" | "cutOff" | "malformed" }>;

function endedEarly(failure: AnswerFailure, { endpoint: { host, model }, key }: FailedCall): string {
  switch (failure.kind) {
    case "reported":
      return `${host} reported an error while ${model} was answering${quoted(failure.text, key)}; ${TEXT_IS_KEPT}`;
    case "timedOut":
      return `${host} stopped responding while ${model} was answering; ${TEXT_IS_KEPT}`;
    case "cutOff":
      return `${host} closed the connection while ${model} was answering; ${TEXT_IS_KEPT}`;
    case "malformed":
      return `${host} sent ${failure.what} while ${model} was answering; ${TEXT_IS_KEPT}`;
    default:
      return failure satisfies never;
  }
}

function unanswered(failure: AnswerFailure, failed: FailedCall): string {
  const { host, model, label } = failed.endpoint;
  const after = afterAttempts(failed);
  switch (failure.kind) {
    case "reported":
      return `${host} reported an error for ${model}${after}${quoted(failure.text, failed.key)}; try again later.`;
    case "timedOut":
      return `${label} did not respond in time${after}; check whether the endpoint is busy, then try again.`;
    case "cutOff":
      return `${host} closed the connection before ${model} answered${after}; check that the endpoint is running, then try again.`;
    case "malformed":
      return `${host} sent ${failure.what} for ${model}${after}; check that ${addressSetting(failed.endpoint)} is that of ${failed.endpoint.terms.kind}.`;
    default:
      return failure satisfies never;
  }
}

function explainRefusal(failure: Refusal, failed: FailedCall): Explanation {
  const { endpoint, key } = failed;
  if (isTooLong(failure)) return explainTooLong(endpoint);
  if (failure.status === 401 || failure.status === 403 || isRefusedKey(failure)) {
    return explainRefusedKey(failure.status, key.origin, endpoint, quoted(failure.text, key));
  }
  const teamFile = failure.status < 500 && failure.status !== 429 && failure.status !== 408 && failure.status !== 409;
  return { sentence: refusalSentence(failure, failed), fix: teamFile ? "teamFile" : "endpoint" };
}

const explainTooLong = ({ label }: Endpoint): Explanation => ({
  sentence: `The conversation is too long for ${label}; give the participant a shorter \`context\` in the team file, or a model with a larger context window.`,
  fix: "teamFile",
});

function refusalSentence(failure: Refusal, failed: FailedCall): string {
  const { model, host, terms } = failed.endpoint;
  const words = quoted(failure.text, failed.key);
  const { status } = failure;
  if (isUnknownModel(failure))
    return `${host} has no model "${model}"${words}; correct \`${terms.model}\` in the team file.`;
  if (status === 404) {
    return `${host} did not find the address or the model "${model}" (404)${words}; correct \`${terms.address}\` or \`${terms.model}\` in the team file.`;
  }
  if (hasNoQuota(failure)) {
    return `The account at ${host} has no quota left for ${model}; add credit there, or use a different key or model.`;
  }
  if (status === 429)
    return `${host} is rate limiting ${model}${afterAttempts(failed)}${words}; wait a while, then run the team again.`;
  if (status === 529)
    return `${host} is overloaded${afterAttempts(failed)}${words}; wait a while, then run the team again.`;
  if (isRetryable(failure))
    return `${host} failed on ${model} (${status})${afterAttempts(failed)}${words}; try again later.`;
  return `${host} refused the request for ${model} (${status})${words}; correct the model's settings in the team file.`;
}

function explainRefusedKey(status: number, origin: KeyOrigin, { model, host }: Endpoint, words: string): Explanation {
  switch (origin.kind) {
    case "none":
      return {
        sentence: `${host} requires a key for ${model} (${status}) and the team file names none; give the model an \`apiKey\` there.`,
        fix: "teamFile",
      };
    case "environment":
      return {
        sentence: `${host} refused the key in the OPENAI_API_KEY environment variable for ${model} (${status})${words}; correct it there, or give the model its own \`apiKey\` in the team file.`,
        fix: "teamFile",
      };
    case "secret":
      return {
        sentence: `${host} refused the key "${origin.secret}" for ${model} (${status})${words}; store a valid key.`,
        fix: "apiKey",
        secret: origin.secret,
      };
    default:
      return origin satisfies never;
  }
}

const afterAttempts = ({ attempts }: FailedCall): string => (attempts > 1 ? ` after ${attempts} attempts` : "");

const inParentheses = (code: string): string => (code === "" ? "" : ` (${code})`);

const isTooLong = ({ status, code, text }: Refusal): boolean =>
  code === "context_length_exceeded" ||
  ((status === 400 || status === 413) &&
    /context (length|window|size)|maximum context|prompt is too long|input token count/i.test(text));

/** Google answers a wrong key with 400. */
const isRefusedKey = ({ status, text }: Refusal): boolean => status === 400 && /^API key not valid/i.test(text);

const isUnknownModel = ({ status, code, text }: Refusal): boolean =>
  code === "model_not_found" || (status === 404 && /\bmodel\b|^models\//i.test(text));

/** The endpoint's own text in parentheses, on one line, shortened and without the key; empty when it gave none. */
function quoted(text: string, key: Key): string {
  const line = redact(text.slice(0, TEXT_READ), key.value).replace(/\s+/g, " ").trim();
  if (line === "") return "";
  return ` ("${line.length > TEXT_SHOWN ? `${line.slice(0, TEXT_SHOWN - 1)}…` : line}")`;
}
