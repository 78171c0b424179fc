import * as z from "zod";

/**
 * What a user may do in a team. The chair: everything. A member: run it, send, interrupt, decide on calls. An observer:
 * read.
 */
export const Role = z.enum(["chair", "member", "observer"]);
export type Role = z.infer<typeof Role>;

/** A user, as their client names them. */
export const User = z.object({ id: z.string().min(1), name: z.string() });
export type User = z.infer<typeof User>;

/** A user of a team, and their role in it. */
export const Person = User.extend({ role: Role });
export type Person = z.infer<typeof Person>;

/** What somebody is who opens a team for the first time. */
export const NewcomerRole = Role.extract(["member", "observer"]);
export type NewcomerRole = z.infer<typeof NewcomerRole>;

/** How many users have to approve a call before it runs, and whose approvals count: all members' if left out. */
export const Approvers = z.object({
  required: z.number().int().min(1).max(20),
  from: z.array(z.string().min(1)).min(1).max(100).optional(),
});
export type Approvers = z.infer<typeof Approvers>;

/** Without `user` it is the role of newcomers. */
export const roleChange = { user: User.optional(), role: Role };
