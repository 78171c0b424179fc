import type {
  ModelDefinition,
  ParticipantDefinition,
  TeamDefinition,
  ToolDeclaration,
} from "../../../shared/contract/definition.ts";
import type { Grace, InterruptScope, Severity } from "../../../shared/contract/team.ts";
import type { Model } from "../model.ts";
import type { Participant } from "../participants/participant.ts";
import type { Tool } from "../tool.ts";
import type { Journal, StoredTeam } from "./journal.ts";

/** Where a team gets its models and tools: the plug-ins of the process it runs in. */
export interface TeamParts {
  /** @throws GavelError when there is no such provider. */
  model(definition: ModelDefinition): Model;
  /** The tool of that name or declaration, or undefined when there is none. */
  tool(tool: string | ToolDeclaration): Tool | undefined;
  /** A participant that is code, or undefined for one that is made from its definition. */
  participant?(definition: ParticipantDefinition): Participant | undefined;
  /** The model of a participant that names none in a team that has none (the editor's `gavel.model`). */
  readonly defaultModel?: ModelDefinition | undefined;
}

export interface TeamOptions {
  readonly teamId: string;
  readonly definition: TeamDefinition;
  readonly uri?: string | undefined;
  readonly parts: TeamParts;
  /** Whom the user's messages and rulings are from. */
  readonly user?: string | undefined;
  /** Memory alone if left out. */
  readonly journal?: Journal | undefined;
  /** What was kept of it, to go on from. */
  readonly stored?: StoredTeam | undefined;
  /** How long an aborted tool or participant is waited for before it is abandoned, in milliseconds: 2,000 if left out. */
  readonly graceMs?: number | undefined;
}

/** The hard stop: aborting `signal` ends the run with `CANCELLED`. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
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
