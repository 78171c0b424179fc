import type { RequestedCall } from "../calls/call-outcome.ts";
import type { AnsweredCall } from "../context/tool-step.ts";
import type { ToolSpec } from "../model.ts";
import type { Turn } from "./participant.ts";

/** Tools that a participant answers itself, during its turn. They affect only the team. */
export interface BuiltInTools {
  readonly specs: readonly ToolSpec[];
  owns(tool: string): boolean;
  /** The results of these calls, which are all calls of these tools in one answer. Emits the events of their effects. */
  answer(calls: readonly RequestedCall[], turn: Turn): AnsweredCall[];
}
