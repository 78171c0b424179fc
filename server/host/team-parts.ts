import type { ModelDefinition, ToolDeclaration } from "../../shared/contract/definition.ts";
import { modelError } from "../../shared/contract/errors.ts";
import { EXTENSION_TOOL } from "../../shared/extension-tools.ts";
import { PLAN_TOOL } from "../../shared/plan-tool.ts";
import type { DefaultModel } from "../../shared/state/default-model.ts";
import { unlessAborted } from "../engine/cancellation/unless-aborted.ts";
import type { ApprovalOutcome, CallToApprove, Model, TeamParts, Tool } from "../engine/index.ts";
import { type AskClient, createModel, type ModelAccess } from "../models/index.ts";
import { readMemoryFile } from "../tools/index.ts";
import { mayRead } from "./approvals/may-read.ts";
import type { ClientTools } from "./client-services/client-tools.ts";
import type { ExtensionTools } from "./client-services/extension-tools.ts";
import { FIRST_TOOLS } from "./first-tools.ts";
import type { McpServers } from "./mcp/mcp-servers.ts";
import type { Workers } from "./workers/workers.ts";
import type { Workplace } from "./workplaces.ts";

export interface PartsOptions {
  /** The user's keys, and the endpoints that the user allows teams to use. */
  readonly access: ModelAccess;
  /** The client's own models; none if left out. */
  readonly askClient?: AskClient;
  /** The current value of the setting `gavel.model`, once the client has said what it is. */
  readonly defaultModel: () => Promise<DefaultModel | undefined>;
  readonly workers: Pick<Workers, "toolSource">;
  readonly clientTools: ClientTools;
  readonly mcpServers: Pick<McpServers, "sourceFor">;
  readonly extensionTools: Pick<ExtensionTools, "sourceFor">;
  /** The decision of the user's rules on a call. */
  readonly approval: (call: CallToApprove) => Promise<ApprovalOutcome>;
  /** The files that the user's rules keep a call from finding. */
  readonly leavesOut: NonNullable<TeamParts["leavesOut"]>;
}

/**
 * A placeholder for the setting `gavel.model`, which is read when a participant speaks: a stored team opens even if it is
 * not set, and a change applies from the next answer on.
 */
const SETTING: ModelDefinition = { provider: "practice" };

/** The models, tools and approvals for the teams of this host, each by where it works. */
export function teamParts({
  workers,
  access,
  askClient,
  defaultModel,
  clientTools,
  mcpServers,
  extensionTools,
  approval,
  leavesOut,
}: PartsOptions): (
  workplace: Omit<Workplace, "guard">,
  uri?: string,
) => TeamParts & { readonly defaultModel: ModelDefinition } {
  return ({ folders, tools }, uri) => ({
    approval,
    defaultModel: SETTING,
    model: (definition, fallbacks) =>
      definition === SETTING
        ? settingModel(defaultModel, access, askClient)
        : createModel(definition, access, askClient, fallbacks),
    tool: (wanted) => {
      if (typeof wanted !== "string") return clientTools.toolFor(wanted);
      const own = tools.get(wanted);
      if (own !== undefined && FIRST_TOOLS.has(wanted)) return own;
      const registered = clientTools.get(wanted) ?? own;
      return registered ?? (wanted === PLAN_TOOL ? undefined : missingTool(wanted, clientTools));
    },
    toolSource: (wanted, definition) =>
      wanted.startsWith(EXTENSION_TOOL)
        ? extensionTools.sourceFor(wanted)
        : mcpServers.sourceFor(wanted, definition, { uri, folders: () => folders.roots() }),
    workerTools: workers.toolSource,
    leavesOut,
    readMemory: (file, reader) => readMemoryFile(folders, file, mayRead(approval, reader, file)),
  });
}

/** The setting is the user's own, as no workspace can set it: its endpoint needs no further permission. */
function settingModel(
  defaultModel: PartsOptions["defaultModel"],
  access: ModelAccess,
  askClient: AskClient | undefined,
): Model {
  const allowed: ModelAccess = { ...access, isAllowed: async () => true };
  let last: { readonly of: DefaultModel; readonly model: Model } | undefined;
  return {
    label: "the model of gavel.model",
    async *stream(request, context) {
      const setting = await unlessAborted(defaultModel(), context.signal);
      if (context.signal.aborted) return;
      if (setting === undefined) {
        throw modelError(
          `${request.participant} has no model; add models.default to the team, or set gavel.model in the settings.`,
          { retryable: false, fix: "teamFile" },
        );
      }
      // One model for all requests: it remembers which of its fallbacks to ask.
      if (last?.of !== setting)
        last = { of: setting, model: createModel(setting.model, allowed, askClient, setting.fallback) };
      yield* last.model.stream(request, context);
    },
  };
}

/** A tool of a stored team that its client has not registered yet: the team opens, and a call of the tool fails. */
function missingTool(name: string, clientTools: ClientTools): Tool {
  const missing: ToolDeclaration = {
    name,
    description: "This tool is not available.",
    inputSchema: { type: "object" },
  };
  return {
    // Once it is registered, the client's declaration decides about approval.
    get declaration() {
      return clientTools.get(name)?.declaration ?? missing;
    },
    prepare: (input) => clientTools.get(name)?.prepare?.(input) ?? input,
    run: (input, context) => {
      const tool = clientTools.get(name);
      if (tool !== undefined) return tool.run(input, context);
      throw new Error(`The tool "${name}" is not available because no client has registered it.`);
    },
  };
}
