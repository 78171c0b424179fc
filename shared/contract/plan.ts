import * as z from "zod";
import { LIMITS } from "../limits.ts";

/** One step of a participant's plan. */
export const PlanItem = z.strictObject({
  text: z.string().trim().min(1).max(LIMITS.plan.characters),
  status: z.enum(["pending", "inProgress", "done"]),
});
export type PlanItem = z.infer<typeof PlanItem>;

export const PlanItems = z.array(PlanItem).max(LIMITS.plan.items);

/** A participant's plan. `editedBy` is set while the participant has not written it since the user edited it. */
export const Plan = z.object({ items: z.array(PlanItem), editedBy: z.string().optional() });
export type Plan = z.infer<typeof Plan>;
