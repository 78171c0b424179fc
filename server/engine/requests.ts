import type { Grace, InterruptScope, Severity } from "../../shared/contract/team.ts";

/**
 * The hard stop: aborting `signal` ends the run with `CANCELLED`. Aborting `soft` lets the model steps in progress end
 * first.
 */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly soft?: AbortSignal | undefined;
}

export interface InterruptOptions {
  readonly scope?: InterruptScope | undefined;
  readonly severity?: Severity | undefined;
  readonly grace?: Grace | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Who asks; the user if left out. */
  readonly by?: string | undefined;
}

export interface SendOptions extends RunOptions {
  readonly delivery?: "now" | "queue" | "steer" | undefined;
  readonly then?: "continue" | "pause" | undefined;
  /** Who is shown the message: everyone, if left out, or the target alone. */
  readonly visibility?: "all" | "target" | undefined;
  /** Milliseconds until the answer is given up: 120,000 if left out. */
  readonly timeoutMs?: number | undefined;
  /** Who says it; the user if left out. */
  readonly by?: string | undefined;
}

/** Rulings on pending calls; at least one. */
export interface ToolAnswers {
  readonly respond?: readonly { readonly ref: string; readonly output: unknown }[] | undefined;
  readonly restart?:
    | readonly {
        readonly ref: string;
        readonly input?: unknown;
        readonly metadata?: Readonly<Record<string, unknown>> | undefined;
      }[]
    | undefined;
  readonly deny?: readonly { readonly ref: string; readonly reason?: string | undefined }[] | undefined;
}
