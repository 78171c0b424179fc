import * as z from "zod";

/** How a command ended: by itself, by a signal, or because its time was up. */
export const CommandExit = z.union([
  z.object({ code: z.number().int() }),
  z.object({ signal: z.string() }),
  z.object({ timedOut: z.literal(true) }),
]);
export type CommandExit = z.infer<typeof CommandExit>;
