import { type GavelError, type ModelErrorDetails, modelError } from "../../../../shared/contract/errors.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { Key, KeyOrigin } from "../endpoint/key.ts";
import { redact } from "../endpoint/redact.ts";
import type { Fault } from "./failure.ts";
import { isRetryable } from "./retry.ts";

/** What a fault befell. */
export interface Failed {
  readonly endpoint: Endpoint;
  readonly key: Key;
  readonly attempts: number;
  /** Whether something of the answer had been passed on: then it is not asked for again. */
  readonly begun: boolean;
}

type Refused = Extract<Fault, { readonly kind: "refused" }>;

/** A sentence, and what a button beside it can do. */
interface Told extends Pick<ModelErrorDetails, "mend" | "secret"> {
  readonly sentence: string;
}

/** How much of an endpoint's text is read at all, and how much of it is shown. */
const TEXT_READ = 4_000;
const TEXT_SHOWN = 200;

/** The error for a request that failed for good: one sentence that names the model, the endpoint's host and the mend. */
export function failureOf(fault: Fault, failed: Failed): GavelError {
  const { endpoint, begun } = failed;
  const { sentence, mend, secret } = told(fault, failed);
  const status = "status" in fault ? fault.status : undefined;
  // The SDK's error is not kept as the cause: it holds the endpoint's headers and its text as it came.
  return modelError(sentence, {
    ...(status === undefined ? {} : { status }),
    retryable: !begun && isRetryable(fault),
    ...(mend === undefined ? {} : { mend }),
    ...(secret === undefined ? {} : { secret }),
    model: endpoint.model,
    baseUrl: endpoint.baseUrl,
  });
}

/** Why an attempt failed, in a few words of our own: nothing that the endpoint wrote. */
export function reasonOf(fault: Fault, { host }: Endpoint): string {
  switch (fault.kind) {
    case "refused":
      return fault.status === 429 ? `${host} limits the rate (429)` : `${host} answered ${fault.status}`;
    case "reported":
      return `${host} reported an error${fault.status === undefined ? "" : ` (${fault.status})`}`;
    case "unreachable":
      return `no connection to ${host}${inBrackets(fault.code)}`;
    case "timedOut":
      return `${host} did not answer in time`;
    case "cutOff":
      return `${host} broke off the connection`;
    case "rubbish":
      return `${host} sent ${fault.what}`;
    case "withheld":
      return `${host} withheld the answer`;
    case "unexpected":
      return "the request failed";
    default:
      return fault satisfies never;
  }
}

/** What to say of an answer that failed in its middle. */
const KEPT = "what had come is kept, and running the team again goes on from there.";
const addressIn = ({ terms }: Endpoint): string => `its address (\`${terms.address}\`) in the team file`;

function told(fault: Fault, failed: Failed): Told {
  switch (fault.kind) {
    case "refused":
      return refused(fault, failed);
    case "reported":
    case "timedOut":
    case "cutOff":
    case "rubbish":
      return { sentence: failed.begun ? endedEarly(fault, failed) : unanswered(fault, failed), mend: "endpoint" };
    case "unreachable": {
      const what = `No connection to ${failed.endpoint.host} for ${failed.endpoint.model}${inBrackets(fault.code)}`;
      return {
        sentence: `${what}${tries(failed)}; start the endpoint, or correct ${addressIn(failed.endpoint)}.`,
        mend: "endpoint",
      };
    }
    case "withheld": {
      const { host, model } = failed.endpoint;
      return {
        sentence: `The content filter of ${host} withheld the whole answer of ${model}; put the task in other words.`,
      };
    }
    case "unexpected": {
      const what = `The request to ${failed.endpoint.label} failed in a way that Gavel does not know`;
      return { sentence: `${what}${quoted(fault.text, failed.key)}; try again, and report it when it stays.` };
    }
    default:
      return fault satisfies never;
  }
}

type StreamFailure = Extract<Fault, { readonly kind: "reported" | "timedOut" | "cutOff" | "rubbish" }>;

function endedEarly(fault: StreamFailure, { endpoint: { host, model }, key }: Failed): string {
  switch (fault.kind) {
    case "reported":
      return `${host} reported an error in the middle of an answer of ${model}${quoted(fault.text, key)}; ${KEPT}`;
    case "timedOut":
      return `${host} fell silent in the middle of an answer of ${model}; ${KEPT}`;
    case "cutOff":
      return `${host} broke off in the middle of an answer of ${model}; ${KEPT}`;
    case "rubbish":
      return `${host} sent ${fault.what} in the middle of an answer of ${model}; ${KEPT}`;
    default:
      return fault satisfies never;
  }
}

function unanswered(fault: StreamFailure, failed: Failed): string {
  const { host, model, label } = failed.endpoint;
  const after = tries(failed);
  switch (fault.kind) {
    case "reported":
      return `${host} reported an error for ${model}${after}${quoted(fault.text, failed.key)}; try again later.`;
    case "timedOut":
      return `${label} did not answer in time${after}; see whether the endpoint is busy, and try again.`;
    case "cutOff":
      return `${host} broke off before ${model} had answered${after}; see whether the endpoint is well, and try again.`;
    case "rubbish":
      return `${host} sent ${fault.what} for ${model}${after}; see that ${addressIn(failed.endpoint)} is that of an OpenAI-compatible endpoint.`;
    default:
      return fault satisfies never;
  }
}

function refused(fault: Refused, failed: Failed): Told {
  const { endpoint, key } = failed;
  if (isTooLong(fault)) return tooLong(endpoint);
  if (fault.status === 401 || fault.status === 403) {
    return refusedKey(fault.status, key.origin, endpoint, quoted(fault.text, key));
  }
  const teamFile = fault.status < 500 && fault.status !== 429 && fault.status !== 408 && fault.status !== 409;
  return { sentence: refusal(fault, failed), mend: teamFile ? "teamFile" : "endpoint" };
}

const tooLong = ({ label }: Endpoint): Told => ({
  sentence: `The conversation is too long for ${label}; give the participant a shorter \`context\` in the team file, or a model that reads more.`,
  mend: "teamFile",
});

function refusal(fault: Refused, failed: Failed): string {
  const { model, host, terms } = failed.endpoint;
  const words = quoted(fault.text, failed.key);
  const { status, code } = fault;
  if (isUnknownModel(fault))
    return `${host} has no model "${model}"${words}; correct \`${terms.model}\` in the team file.`;
  if (status === 404) {
    return `${host} knows neither the address nor the model "${model}" (404)${words}; correct \`${terms.address}\` or \`${terms.model}\` in the team file.`;
  }
  if (code === "insufficient_quota") {
    return `The account at ${host} has no quota left for ${model}; add credit there, or use another key or model.`;
  }
  if (status === 429) return `${host} limits the rate of ${model}${tries(failed)}${words}; wait a while and run again.`;
  if (isRetryable(fault)) return `${host} failed on ${model} (${status})${tries(failed)}${words}; try again later.`;
  return `${host} refused the request for ${model} (${status})${words}; correct the model's settings in the team file.`;
}

function refusedKey(status: number, origin: KeyOrigin, { model, host }: Endpoint, words: string): Told {
  switch (origin.kind) {
    case "none":
      return {
        sentence: `${host} asks for a key for ${model} (${status}) and the team file names none; give the model an \`apiKey\` there.`,
        mend: "teamFile",
      };
    case "environment":
      return {
        sentence: `${host} refused the key in the environment's OPENAI_API_KEY for ${model} (${status})${words}; correct it there, or give the model an \`apiKey\` of its own in the team file.`,
        mend: "teamFile",
      };
    case "secret":
      return {
        sentence: `${host} refused the key "${origin.secret}" for ${model} (${status})${words}; store one that it takes.`,
        mend: "apiKey",
        secret: origin.secret,
      };
    default:
      return origin satisfies never;
  }
}

const tries = ({ attempts }: Failed): string => (attempts > 1 ? ` after ${attempts} attempts` : "");

const inBrackets = (code: string): string => (code === "" ? "" : ` (${code})`);

const isTooLong = ({ status, code, text }: Refused): boolean =>
  code === "context_length_exceeded" ||
  ((status === 400 || status === 413) && /context (length|window|size)|maximum context|prompt is too long/i.test(text));

const isUnknownModel = ({ status, code, text }: Refused): boolean =>
  code === "model_not_found" || (status === 404 && /\bmodel\b/i.test(text));

/** The endpoint's own words in brackets, on one line, shortened and without the key; nothing when it gave none. */
function quoted(text: string, key: Key): string {
  const line = redact(text.slice(0, TEXT_READ), key.value).replace(/\s+/g, " ").trim();
  if (line === "") return "";
  return ` ("${line.length > TEXT_SHOWN ? `${line.slice(0, TEXT_SHOWN - 1)}…` : line}")`;
}
