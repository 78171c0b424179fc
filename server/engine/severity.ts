import type { Grace, Severity } from "../../shared/contract/team.ts";

/** From the mildest to the most severe. */
const SEVERITIES: readonly Severity[] = ["pause", "stop", "reset"];

/** Grace moments from the latest to the soonest. */
const GRACES: readonly Grace[] = ["turn", "thought", "now"];

/** The more severe of two. */
export const moreSevere = (a: Severity, b: Severity): Severity => later(SEVERITIES, a, b);

/** The sooner of two moments to stop at. */
export const soonerGrace = (a: Grace, b: Grace): Grace => later(GRACES, a, b);

const later = <T>(order: readonly T[], a: T, b: T): T => (order.indexOf(a) >= order.indexOf(b) ? a : b);
