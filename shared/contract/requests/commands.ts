import * as z from "zod";
import { BackgroundCommand } from "../background-command.ts";
import { request } from "../message-type.ts";
import { teamId } from "./params.ts";

const id = z.string().min(1).max(200);

/**
 * Ends a background command with every process that it started, and answers when it has ended. `InvalidParams` for a command
 * that the team does not know; one that has ended is no error.
 */
export const TeamStopCommand = request("team/stopCommand", z.strictObject({ teamId, id }), BackgroundCommand);

/**
 * Reads the output of a background command from the character `after` on. With `wait`, it answers once there is some or the
 * command has ended, after 30 s at the latest. What was left out of a long output is said in it.
 */
export const TeamCommandOutput = request(
  "team/commandOutput",
  z.strictObject({ teamId, id, after: z.number().int().min(0).optional(), wait: z.boolean().optional() }),
  z.object({ command: BackgroundCommand, text: z.string(), next: z.number().int(), isKept: z.boolean() }),
);
