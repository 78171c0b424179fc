import * as z from "zod";

/**
 * Why a reasoning sequence is interrupted; `other` needs a message. From the MEW reasoning interruption design
 * (DECISIONS.md).
 */
export const ReasoningReason = z.enum(["timeout", "redirect", "error", "user_request", "resource_limit", "other"]);
export type ReasoningReason = z.infer<typeof ReasoningReason>;

/** What happens to the sequence. From the MEW reasoning interruption design (DECISIONS.md). */
export const ReasoningStatus = z.enum(["stopping", "completing_thought", "continuing", "ignored"]);
export type ReasoningStatus = z.infer<typeof ReasoningStatus>;

/** Asks participants to interrupt their reasoning: `correlation_id` names the sequences by their `reasoning/start`. */
export const ReasoningRequest = z.strictObject({
  from: z.string(),
  to: z.array(z.string()).min(1, "name at least one participant in `to`"),
  correlation_id: z.array(z.string()).min(1, "name the reasoning sequence in `correlation_id`"),
  payload: z
    .strictObject({ reason: ReasoningReason, message: z.string().min(1).optional() })
    .refine(({ reason, message }) => reason !== "other" || message !== undefined, {
      message: "the reason `other` needs a message",
      path: ["message"],
    }),
});
export type ReasoningRequest = z.infer<typeof ReasoningRequest>;

/**
 * A participant's answer to a {@link ReasoningRequest}: `correlation_id` is the list of the request's id. `limited` marks a
 * request that is ignored because its sender has interrupted too often.
 */
export const ReasoningAck = z.object({
  id: z.string(),
  from: z.string(),
  correlation_id: z.array(z.string()),
  payload: z.object({
    status: ReasoningStatus,
    message: z.string().optional(),
    limited: z.literal(true).optional(),
  }),
});
export type ReasoningAck = z.infer<typeof ReasoningAck>;
