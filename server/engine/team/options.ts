import type {
  ModelDefinition,
  ParticipantDefinition,
  TeamDefinition,
  ToolDeclaration,
} from "../../../shared/contract/definition.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { Grace, InterruptScope, Severity } from "../../../shared/contract/team.ts";
import type { ApprovalOutcome, CallToApprove } from "../approvals/evaluate-call.ts";
import type { TerminationCondition } from "../conditions/condition.ts";
import type { Journal, StoredTeam } from "../log/journal.ts";
import type { SelectorFunctions } from "../managers/managers.ts";
import type { Model } from "../model.ts";
import type { Participant } from "../participants/participant.ts";
import type { Timers } from "../timers.ts";
import type { Tool } from "../tool.ts";
import type { Team } from "./team.ts";

/** Where a team gets its models and tools: the plug-ins of the process it runs in. */
export interface TeamParts {
  /** @throws GavelError when there is no such provider. */
  model(definition: ModelDefinition): Model;
  /** The tool of that name or declaration, or undefined when there is none. */
  tool(tool: string | ToolDeclaration): Tool | undefined;
  /** A participant that is code, or undefined for one that is made from its definition. */
  participant?(definition: ParticipantDefinition): Participant | undefined;
  /** Reads a file of a participant's memory (`memory.files`). @throws Error that says why it can not be read. */
  readMemory?(file: string): Promise<string>;
  /** What the rules for tools say of a call (see `judge`); the tools' declarations decide if left out. What it throws denies. */
  approval?(call: CallToApprove): ApprovalOutcome;
  /** The model of a participant that names none in a team that has none (the editor's `gavel.model`). */
  readonly defaultModel?: ModelDefinition | undefined;
}

/** What a team is made of: the definition is enough where its participants need nothing else. */
export interface TeamOptions {
  /** A new one if left out. */
  readonly teamId?: string | undefined;
  readonly definition: TeamDefinition;
  readonly uri?: string | undefined;
  /** Those that its participants need; a team of code alone gives just `participant`. */
  readonly parts?: Partial<TeamParts> | undefined;
  /** Whom the user's messages and rulings are from. */
  readonly user?: string | undefined;
  /** A condition that is code, beside that of the definition: the first that fires ends the run. */
  readonly termination?: TerminationCondition | undefined;
  /** Functions that choose, or narrow, a selector team's speakers. */
  readonly selector?: SelectorFunctions | undefined;
  /** Memory alone if left out. */
  readonly journal?: Journal | undefined;
  /** What was kept of it, to go on from. */
  readonly stored?: StoredTeam | undefined;
  /** How long an aborted tool or participant is waited for before it is abandoned, in milliseconds: 2,000 if left out. */
  readonly graceMs?: number | undefined;
  /** A watch that is code, beside the rules of the definition (`interrupts`). */
  readonly watch?: WatchFunction | undefined;
  /** The time that watches and acknowledgements go by; that of the process if left out. */
  readonly timers?: Timers | undefined;
}

/**
 * Asked at each event of a run, those of nested teams and chunks among them: what it returns interrupts the run at once, or the
 * part of it and at the moment that it names. One that throws interrupts the run. To hear of interrupts, whoever asked for
 * them, listen to the team for `interrupt/requested` and `interrupt/completed` (`Team.onEvent`).
 */
export type WatchFunction = (event: TeamEvent, team: Team) => InterruptOptions | undefined;

/** The hard stop: aborting `signal` ends the run with `CANCELLED`. Aborting `soft` lets the model steps in progress end first. */
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
