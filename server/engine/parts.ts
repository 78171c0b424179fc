import type { ModelDefinition, ParticipantDefinition, ToolDeclaration } from "../../shared/contract/definition.ts";
import type { ApprovalOutcome, CallToApprove } from "./approvals/evaluate-call.ts";
import type { Model } from "./model.ts";
import type { Participant } from "./participants/participant.ts";
import type { Tool } from "./tool.ts";

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
  /**
   * What the rules for tools say of a call (see `judge`); the tools' declarations decide if left out. What it throws denies.
   */
  approval?(call: CallToApprove): ApprovalOutcome;
  /** The model of a participant that names none in a team that has none (the editor's `gavel.model`). */
  readonly defaultModel?: ModelDefinition | undefined;
}
