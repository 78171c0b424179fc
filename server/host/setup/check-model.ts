import { GavelError, messageOf, modelError } from "../../../shared/contract/errors.ts";
import type { Model } from "../../engine/index.ts";
import { systemTimers, type Timers } from "../../engine/timers.ts";
import type { UserConsent } from "../client-services/user-consent.ts";

/** How long a model may take to begin its answer, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Why a model does not answer: a sentence, and the data of a failed request. */
export interface ModelFailure {
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Asks a model for a word, and stops at the first part of its answer. While the user is asked for consent, its time does not
 * pass; afterwards it has all of it. Undefined if it answers.
 */
export async function checkModel(
  model: Model,
  consent: Pick<UserConsent, "isAsked" | "onChanged">,
  signal: AbortSignal,
  timers: Timers = systemTimers,
): Promise<ModelFailure | undefined> {
  const stop = new AbortController();
  let failure: GavelError | undefined;
  const fail = (error: GavelError): void => {
    failure ??= error;
    stop.abort();
  };
  const limit = (): (() => void) =>
    consent.isAsked
      ? () => undefined
      : timers.after(TIMEOUT_MS, () => fail(modelError(`${model.label} did not answer in 30 s.`, LATE)));
  let cancelLimit = limit();
  const ignoreConsent = consent.onChanged(() => {
    cancelLimit();
    cancelLimit = limit();
  });
  const request = { participant: "setup", instructions: "Answer with OK.", items: [ASKED], tools: [] };
  try {
    const context = {
      signal: AbortSignal.any([signal, stop.signal]),
      // What would be tried again has failed for now.
      onRetry: ({ reason, status }: { readonly reason: string; readonly status?: number | undefined }) =>
        fail(modelError(reason, status === undefined ? LATE : { ...LATE, status })),
    };
    for await (const _ of model.stream(request, context)) break;
  } catch (error) {
    if (failure === undefined && !signal.aborted) failure = asGavelError(error);
  } finally {
    ignoreConsent();
    cancelLimit();
  }
  return failure === undefined ? undefined : { message: failure.message, data: { ...failure.data } };
}

const ASKED = { role: "user", source: "user", content: "Are you there?" } as const;
const LATE = { retryable: true, fix: "endpoint" } as const;

const asGavelError = (error: unknown): GavelError =>
  error instanceof GavelError ? error : modelError(messageOf(error), { retryable: false });
