import * as z from "zod";
import { InterruptPreview } from "../inspection.ts";
import { request } from "../message-type.ts";
import { ReasoningAck, ReasoningRequest } from "../reasoning.ts";
import { Grace, InterruptReceipt, InterruptScope, Severity, Task, TaskResult } from "../team.ts";
import { nothing, teamId } from "./params.ts";

/**
 * Starts a run with a task or, without one, continues from the thread. Resolves when the run ends. `handoff` is for the task
 * that a user participant says: one of its `handoffs`, who speaks next.
 */
export const TeamRun = request(
  "team/run",
  z.strictObject({ teamId, task: Task.optional(), handoff: z.string().optional() }),
  TaskResult,
);

/**
 * Ends the run when the current turn ends (the `external` condition); while calls wait, when the turn ends that goes on
 * after the decision. With `withdraw` it does not, if it has not ended yet.
 */
export const TeamStop = request("team/stop", z.strictObject({ teamId, withdraw: z.literal(true).optional() }), nothing);

/** Interrupts the team or a part of it. Resolves with a receipt when everything in the scope has stopped. */
export const TeamInterrupt = request(
  "team/interrupt",
  z
    .strictObject({
      teamId,
      scope: InterruptScope.optional(),
      severity: Severity.optional(),
      grace: Grace.optional(),
      reason: z.string().optional(),
      message: z.string().optional(),
    })
    .refine(({ scope, severity }) => scope === undefined || severity !== "reset", {
      message: "reset is for the whole team; leave out the scope, or use stop",
      path: ["severity"],
    }),
  InterruptReceipt,
);

/** Tells what an interrupt of that scope would stop now, and what would be kept. Changes nothing. */
export const TeamPreviewInterrupt = request(
  "team/previewInterrupt",
  z.strictObject({ teamId, scope: InterruptScope.optional() }),
  InterruptPreview,
);

/** Asks participants to interrupt their reasoning; each acknowledges within 30 s. */
export const ReasoningInterrupt = request(
  "reasoning/interrupt",
  z.strictObject({ teamId, ...ReasoningRequest.shape }),
  ReasoningAck,
);
