import * as z from "zod";
import { ApprovalRule, ApprovalSubject, NewApprovalRule } from "../approval.ts";
import { request } from "../message-type.ts";
import { teamId } from "./params.ts";

/** Lists the user's approval rules: all, or those that apply to a team. */
export const ApprovalsList = request(
  "approvals/list",
  z.strictObject({ teamId: teamId.optional() }),
  z.object({ rules: z.array(ApprovalRule) }),
);

/**
 * Adds an approval rule, a decision for more than one call. The host at once resolves every pending call that the rules now
 * decide, and lists them in `answered`: the client must not resolve these. With `shown`, that call makes exactly the change
 * that the user was shown, or none.
 */
export const ApprovalsAdd = request(
  "approvals/add",
  z.strictObject({
    rule: NewApprovalRule,
    shown: z.strictObject({ teamId, ref: z.string(), preview: z.string() }).optional(),
  }),
  z.object({ rule: ApprovalRule, answered: z.array(z.string()), note: z.string().exactOptional() }),
);

/** Removes an approval rule. */
export const ApprovalsRemove = request(
  "approvals/remove",
  z.strictObject({ id: z.string().min(1) }),
  z.object({ removed: z.boolean() }),
);

/** Suggests rules for a pending call: each choice is the rules that together would allow it, the narrowest first. */
export const ApprovalsSuggest = request(
  "approvals/suggest",
  z.strictObject({ teamId, ref: z.string() }),
  z.object({ choices: z.array(z.object({ rules: z.array(ApprovalSubject).min(1) })) }),
);
