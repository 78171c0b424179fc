import type { ToolSpec } from "../model.ts";

/** Tools that are known when the participant takes its turn, and may change while it does. */
export interface LaterTools {
  /** Resolves when they are known or cannot be, or when `signal` aborts. Never rejects. */
  ready(signal: AbortSignal): Promise<void>;
  specs(): readonly ToolSpec[];
}
