import type { EndpointModel } from "./endpoint-model.ts";

/** When an answer that does not end is given up. */
export interface AnswerLimits {
  /** Seconds without a part of the answer. Keep-alive comments and empty events do not count. */
  readonly idleSeconds: number;
  /** Bytes without an event. */
  readonly eventBytes: number;
  readonly answerBytes: number;
}

/** The default time is the one after which OpenAI's own SDKs give a request up. */
const DEFAULTS: AnswerLimits = { idleSeconds: 600, eventBytes: 8_000_000, answerBytes: 256_000_000 };

export const limitsOf = ({ limits = {} }: Pick<EndpointModel, "limits">): AnswerLimits => ({
  idleSeconds: limits.idleSeconds ?? DEFAULTS.idleSeconds,
  eventBytes: limits.eventBytes ?? DEFAULTS.eventBytes,
  answerBytes: limits.answerBytes ?? DEFAULTS.answerBytes,
});
