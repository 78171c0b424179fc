import type {
  ModelDefinition,
  ParticipantDefinition,
  TeamDefinition,
  ToolDeclaration,
} from "../../shared/contract/definition.ts";
import type { ApprovalOutcome, CallToApprove } from "./approvals/evaluate-call.ts";
import type { Model } from "./model.ts";
import type { Participant } from "./participants/participant.ts";
import type { Tool, ToolSource } from "./tool.ts";

/** Where a participant is: the id of its root team, and the participants that lead to its own team. */
export interface ParticipantPlace {
  readonly teamId: string;
  readonly path: readonly string[];
  /** The definition of its own team. */
  readonly team: TeamDefinition;
}

/** Provides a team with models, tools and participants that are code. */
export interface TeamParts {
  /**
   * `fallbacks` answer in its place, in this order, when it cannot.
   * @throws GavelError if there is no such provider.
   */
  model(definition: ModelDefinition, fallbacks?: readonly ModelDefinition[]): Model;
  /** The tool of that name or declaration, or undefined if there is none. */
  tool(tool: string | ToolDeclaration): Tool | undefined;
  /** Has an assistant take its turns elsewhere; undefined, or left out, to have it take them here. */
  elsewhere?(
    assistant: Participant,
    definition: ParticipantDefinition,
    place: ParticipantPlace,
  ): Participant | undefined;
  /** The tools of a worker: those of a name, or of a participant there. Without it, nothing can be placed on workers. */
  workerTools?(worker: string, wanted: { readonly names: string } | { readonly participant: string }): ToolSource;
  /** The source of the tools that a name with a slash stands for, such as `server/*`; undefined if there is none. */
  toolSource?(wanted: string, definition: TeamDefinition): ToolSource | undefined;
  /** A participant that is code, or undefined to create it from its definition. */
  participant?(definition: ParticipantDefinition, place: ParticipantPlace): Participant | undefined;
  /** Reads a file of a participant's memory (`memory.files`). @throws Error that says why it cannot be read. */
  readMemory?(file: string, reader: Pick<CallToApprove, "participant" | "teamId">): Promise<string>;
  /**
   * Decides from the user's approval rules (see `evaluateCall`); defaults to the tools' declarations. If it throws, the call
   * is denied.
   */
  approval?(call: CallToApprove): ApprovalOutcome | Promise<ApprovalOutcome>;
  /** The files that a call leaves out of a search (see `ToolContext.leavesOut`); undefined for none. */
  leavesOut?(call: CallToApprove): ((path: string) => Promise<boolean>) | undefined;
  /** The model for participants if neither they nor the team name one (the setting `gavel.model`). */
  readonly defaultModel?: ModelDefinition | undefined;
}
