import type { ModelDefinition, ToolDeclaration } from "../../shared/contract/definition.ts";
import { modelError } from "../../shared/contract/errors.ts";
import type { ApprovalOutcome, CallToApprove, Model, TeamParts, Tool } from "../engine/index.ts";
import { createModel, type KeySource } from "../models/index.ts";
import { readMemoryFile, type Workspace } from "../tools/index.ts";
import type { ClientTools } from "./client/client-tools.ts";

export interface PartsOptions {
  readonly keys: KeySource;
  /** The setting `gavel.model`, as it is at that time. */
  readonly defaultModel: () => ModelDefinition | undefined;
  readonly hostTools: ReadonlyMap<string, Tool>;
  readonly clientTools: ClientTools;
  /** The folders that are open: where memory files are looked for. */
  readonly workspace: Workspace;
  /** What the user's rules say of a call. */
  readonly approval: (call: CallToApprove) => ApprovalOutcome;
}

/**
 * Stands in a team for the setting `gavel.model`, whatever that will be when the participant speaks: a stored team opens also
 * where it is not set, and a change counts from the next answer on.
 */
const SETTING: ModelDefinition = { provider: "practice" };

/** Models and tools for the teams of this process. */
export function teamParts({
  keys,
  defaultModel,
  hostTools,
  clientTools,
  workspace,
  approval,
}: PartsOptions): TeamParts {
  return {
    approval,
    defaultModel: SETTING,
    model: (definition) => (definition === SETTING ? settingModel(defaultModel, keys) : createModel(definition, keys)),
    tool: (wanted) => {
      if (typeof wanted !== "string") return clientTools.toolFor(wanted);
      return hostTools.get(wanted) ?? clientTools.get(wanted) ?? missingTool(wanted, clientTools);
    },
    readMemory: (file) => readMemoryFile(workspace, file),
  };
}

function settingModel(defaultModel: () => ModelDefinition | undefined, keys: KeySource): Model {
  return {
    label: "the model of gavel.model",
    stream: (request, context) => {
      const definition = defaultModel();
      if (definition !== undefined) return createModel(definition, keys).stream(request, context);
      throw modelError(
        `${request.participant} has no model; add models.default to the team, or set gavel.model in the settings.`,
        { retryable: false, fix: "teamFile" },
      );
    },
  };
}

/** A tool of a stored team that its client has not registered (yet): the team opens, and a call of it says so. */
function missingTool(name: string, clientTools: ClientTools): Tool {
  const missing: ToolDeclaration = {
    name,
    description: "This tool is not available now.",
    inputSchema: { type: "object" },
  };
  return {
    // Once it is there, it asks for approval where its client says so.
    get declaration() {
      return clientTools.get(name)?.declaration ?? missing;
    },
    check: (input) => clientTools.get(name)?.check?.(input),
    run: (input, context) => {
      const tool = clientTools.get(name);
      if (tool !== undefined) return tool.run(input, context);
      throw new Error(`The tool "${name}" is not available: no client has registered it.`);
    },
  };
}
