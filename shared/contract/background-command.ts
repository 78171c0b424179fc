import * as z from "zod";
import { CommandExit } from "./command-exit.ts";

/**
 * How a background command ended: by itself (`exit`), or stopped by that participant, user or `host`. `lost` is set when its
 * host stopped without ending it: the system then ended it (`ended`), or it may still run.
 */
export const CommandEnd = z.object({
  exit: CommandExit.optional(),
  stoppedBy: z.string().optional(),
  lost: z.enum(["ended", "mayRun"]).optional(),
  /** Why it could not be started. */
  problem: z.string().optional(),
});
export type CommandEnd = z.infer<typeof CommandEnd>;

export const startedCommand = {
  /** Unique in the team for as long as it lives. */
  id: z.string(),
  /** The call that started it. */
  ref: z.string(),
  participant: z.string(),
  /** The participants that lead to the nested team of its participant. */
  through: z.array(z.string()).min(1).optional(),
  command: z.string(),
  /** Where the host that runs it cannot end it if it is killed itself: on Windows. */
  outlivesHost: z.literal(true).optional(),
};

/** A command that runs in the background, or one of the last that did: then with its end. */
export const BackgroundCommand = z.object({ ...startedCommand, end: CommandEnd.optional() });
export type BackgroundCommand = z.infer<typeof BackgroundCommand>;
