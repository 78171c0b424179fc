import * as z from "zod";

/** What an interrupt keeps: everything (`pause`), only the thread (`stop`), or nothing (`reset`). */
export const Severity = z.enum(["pause", "stop", "reset"]);
export type Severity = z.infer<typeof Severity>;

/** When an interrupt takes effect: at once, after the current model step, or after the current turn. */
export const Grace = z.enum(["now", "thought", "turn"]);
export type Grace = z.infer<typeof Grace>;
