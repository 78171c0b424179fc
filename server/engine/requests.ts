import type { ContentPart } from "../../shared/contract/message.ts";
import type { Grace, InterruptScope, Severity } from "../../shared/contract/team.ts";
import type { ContextItem } from "./model.ts";

/**
 * Aborting `signal` is the hard stop: the run ends with `CANCELLED`. Aborting `soft` ends the run after the model steps in
 * progress.
 */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly soft?: AbortSignal | undefined;
  /** For a nested team: the talk before, which the models of its participants are shown before its own thread. */
  readonly earlier?: readonly ContextItem[] | undefined;
}

export interface TaskOptions extends RunOptions {
  /** For what a user participant says: who speaks next, one of its handoffs. */
  readonly handoff?: string | undefined;
  /** Who gives the task; the user who acts now if left out. */
  readonly by?: string | undefined;
}

export interface InterruptOptions {
  readonly scope?: InterruptScope | undefined;
  readonly severity?: Severity | undefined;
  readonly grace?: Grace | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  /** Who requests it; the user if left out. */
  readonly by?: string | undefined;
  /** A rule of the team, or its watch function, requests it: `by` is its name. */
  readonly rule?: true | undefined;
  /** Whether calls that wait for the user's decision are cancelled too; they stay if left out. */
  readonly waitingCalls?: "cancel" | undefined;
  /** How long a stopped turn may take, in milliseconds, if that is less than the team's grace. */
  readonly limitMs?: number | undefined;
}

export interface SendOptions extends RunOptions {
  readonly delivery?: "now" | "queue" | "steer" | undefined;
  readonly then?: "continue" | "pause" | undefined;
  /** Who is shown the message: everyone (the default), or only the target. */
  readonly visibility?: "all" | "target" | undefined;
  /** How long the answer may take, in milliseconds; 120,000 if left out. */
  readonly timeoutMs?: number | undefined;
  /** The sender; the user if left out. */
  readonly by?: string | undefined;
  /** What the user attached. */
  readonly context?: readonly ContentPart[] | undefined;
}

/** The user's decisions on pending calls; at least one. */
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
