import * as z from "zod";
import { request } from "../message-type.ts";
import { Approvers, Role } from "../people.ts";
import { TeamSnapshot } from "../team.ts";
import { teamId } from "./params.ts";

/**
 * Changes the role of a user of the team; without `user`, the one that newcomers get. Only the chair may do this. Who is
 * given the chair has it instead of who had it, who is a member then. A member may take the chair (`user` is their own id)
 * while no client of the chair's user is connected.
 */
export const TeamSetRole = request(
  "team/setRole",
  z
    .strictObject({ teamId, user: z.string().min(1).optional(), role: Role })
    .refine(({ user, role }) => user !== undefined || role !== "chair", {
      message: "say who gets the chair; newcomers are members or observers",
      path: ["user"],
    }),
  TeamSnapshot,
);

/**
 * Says how many users have to approve a call before it runs, and whose approvals count. Only the chair may do this. The
 * team's file may require more approvals, never fewer.
 */
export const TeamSetApprovers = request(
  "team/setApprovers",
  z
    .strictObject({ teamId, ...Approvers.shape })
    .refine(({ required, from }) => (from?.length ?? required) >= required, {
      message: "name at least as many users as have to approve",
      path: ["from"],
    }),
  TeamSnapshot,
);
