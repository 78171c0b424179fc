import * as z from "zod";
import { MessagePreview } from "../inspection.ts";
import { ContentPart } from "../message.ts";
import { request } from "../message-type.ts";
import { QueuedMessage, TaskResult, TeamSnapshot } from "../team.ts";
import { teamId } from "./params.ts";

/** Whether a message that only its target sees has a target. */
const hasAddressee = ({
  to,
  visibility,
}: {
  readonly to?: string | undefined;
  readonly visibility?: string | undefined;
}) => to !== undefined || visibility !== "target";
const NO_ADDRESSEE = {
  message: "say to which participant; a message to the whole team is visible to all",
  path: ["visibility"],
};

/**
 * Sends a message to one participant, and only that participant answers. `timeoutMs` is 120,000 if left out. With
 * `visibility` `target` no other participant is shown the message; a model that selects speakers is, and everyone sees the
 * answer. `context` is what the user attached; it follows the text of the last message. Without `to` it is for the whole
 * team, which goes on with it.
 */
export const TeamSendUserMessage = request(
  "team/sendUserMessage",
  z
    .strictObject({
      teamId,
      to: z.string().optional(),
      messages: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
      delivery: z.enum(["now", "queue", "steer"]).optional(),
      // biome-ignore lint/suspicious/noThenProperty: the protocol fixes the name of the field
      then: z.enum(["continue", "pause"]).optional(),
      timeoutMs: z.number().int().positive().max(2_147_483_647).optional(),
      visibility: z.enum(["all", "target"]).optional(),
      context: z.array(ContentPart).optional(),
    })
    .refine(hasAddressee, NO_ADDRESSEE),
  TaskResult,
);

/**
 * Tells when a message of `team/sendUserMessage` would be delivered, who would be interrupted for it, and who would see it.
 * Without `to` it is for the whole team. Changes nothing.
 */
export const TeamPreviewMessage = request(
  "team/previewMessage",
  z
    .strictObject({
      teamId,
      to: z.string().optional(),
      delivery: z.enum(["now", "queue", "steer"]).optional(),
      visibility: z.enum(["all", "target"]).optional(),
    })
    .refine(hasAddressee, NO_ADDRESSEE),
  MessagePreview,
);

/**
 * Edits, withdraws or reorders the messages that wait to be delivered. `order` lists all of them. The whole change is made,
 * or none of it.
 */
export const TeamQueue = request(
  "team/queue",
  z.strictObject({
    teamId,
    edit: z.strictObject({ id: z.string(), messages: z.array(z.string().min(1)).min(1) }).optional(),
    withdraw: z.array(z.string()).optional(),
    order: z.array(z.string()).optional(),
  }),
  z.object({ queued: z.array(QueuedMessage) }),
);

/**
 * Rewrites a partial message that an interrupt, a failure or a crash left or, with `content` null, removes it from the
 * thread. The team must be at rest.
 */
export const TeamEditMessage = request(
  "team/editMessage",
  z.strictObject({
    teamId,
    messageId: z.string(),
    content: z.string().min(1, "give the new text, or null to remove the message").nullable(),
  }),
  TeamSnapshot,
);
