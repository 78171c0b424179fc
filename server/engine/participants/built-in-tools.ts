import type { RequestedCall } from "../calls/call-outcome.ts";
import type { AnsweredCall } from "../context/tool-step.ts";
import type { ToolSpec } from "../model.ts";
import type { Turn } from "./participant.ts";

/**
 * Tools that a participant answers itself, within its turn: they do something to the conversation, and nothing outside it.
 */
export interface BuiltInTools {
  readonly specs: readonly ToolSpec[];
  owns(tool: string): boolean;
  /** The results of these calls, which are all that one answer makes of these tools; tells what comes of them. */
  answer(calls: readonly RequestedCall[], turn: Turn): AnsweredCall[];
}
