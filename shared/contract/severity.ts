import * as z from "zod";

/** What an interrupt leaves: all of it (`pause`), the thread alone (`stop`), or nothing (`reset`). */
export const Severity = z.enum(["pause", "stop", "reset"]);
export type Severity = z.infer<typeof Severity>;

/** When an interrupt stops: at once, after the model step in progress, or after the turn in progress. */
export const Grace = z.enum(["now", "thought", "turn"]);
export type Grace = z.infer<typeof Grace>;
