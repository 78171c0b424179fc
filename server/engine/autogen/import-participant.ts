import {
  type HandoffDefinition,
  ParticipantDefinition,
  type TeamDefinition,
} from "../../../shared/contract/definition.ts";
import {
  type AutoGenComponent,
  type ComponentConfig,
  type ImportReport,
  withoutUndefined,
} from "./autogen-component.ts";
import { importContext, importMemory } from "./import-context.ts";
import type { ImportedModels } from "./imported-models.ts";
import { omitTools } from "./omit-tools.ts";

/** What importing an agent needs. `team` imports a nested team. */
export interface ImportContext {
  readonly report: ImportReport;
  readonly models: ImportedModels;
  team(component: AutoGenComponent): TeamDefinition | undefined;
}

/** The default of AutoGen and of Gavel for a call in a summary. */
const DEFAULT_SUMMARY_FORMAT = "{result}";

/**
 * Imports an agent. An agent without a counterpart is a problem, not an omission: without it the team would be a different
 * one.
 */
export function importParticipant(agent: AutoGenComponent, context: ImportContext): ParticipantDefinition | undefined {
  const { className, config } = agent;
  switch (className) {
    case "AssistantAgent":
      return assistant(config, context);
    case "UserProxyAgent":
      return user(config, context.report);
    case "SocietyOfMindAgent":
      return societyOfMind(config, context);
    case "MessageFilterAgent":
      return filtered(config, context);
    default:
      return unknownAgent(agent, context);
  }
}

function assistant(config: ComponentConfig, { report, models }: ImportContext): ParticipantDefinition | undefined {
  const name = importName(config, report);
  const format = config.text("tool_call_summary_format");
  const read = {
    description: config.text("description"),
    instructions: config.text("system_message"),
    model: models.keyOf(config.component("model_client")),
    handoffs: handoffsOf(config, report),
    output: outputOf(config.component("structured_message_factory")),
    memory: importMemory(config.components("memory"), report),
    maxToolIterations: config.number("max_tool_iterations") ?? 1,
    reflectOnToolUse: config.boolean("reflect_on_tool_use"),
    toolCallSummaryFormat: format === DEFAULT_SUMMARY_FORMAT ? undefined : format,
    context: importContext(config.component("model_context"), report),
  };
  omitTools(config.components("tools"), config.components("workbench"), report);
  config.ignore("model_client_stream");
  config.omitUnused();
  return name === undefined ? undefined : withoutUndefined({ name, ...read });
}

function user(config: ComponentConfig, report: ImportReport): ParticipantDefinition | undefined {
  const name = importName(config, report);
  const description = config.text("description");
  config.omitUnused({ input_func: "the user speaks in the chat" });
  return name === undefined ? undefined : withoutUndefined<ParticipantDefinition>({ name, kind: "user", description });
}

function societyOfMind(
  config: ComponentConfig,
  { report, models, team }: ImportContext,
): ParticipantDefinition | undefined {
  const name = importName(config, report);
  const inner = config.component("team");
  if (inner === undefined) report.addProblem(config.pathOf("team"), "is missing; an agent of this kind has a team");
  const instructions = [config.text("instruction"), config.text("response_prompt")].filter(
    (text) => text !== undefined,
  );
  const read = {
    description: config.text("description"),
    instructions: instructions.length === 0 ? undefined : instructions.join("\n\n"),
    model: models.keyOf(config.component("model_client")),
    context: importContext(config.component("model_context"), report),
    team: inner && team(inner),
  };
  config.omitUnused();
  return name === undefined
    ? undefined
    : withoutUndefined<ParticipantDefinition>({ name, kind: "societyOfMind", ...read });
}

/** An agent that sees a part of the conversation; in Gavel it sees all of it. */
function filtered(config: ComponentConfig, context: ImportContext): ParticipantDefinition | undefined {
  const name = importName(config, context.report);
  const wrapped = config.component("wrapped_agent");
  if (wrapped === undefined)
    context.report.addProblem(config.pathOf("wrapped_agent"), "is missing; this agent wraps another");
  const agent = wrapped && importParticipant(wrapped, context);
  config.omitUnused({ filter: "participants are shown the whole conversation, or the part that their context keeps" });
  return name === undefined || agent === undefined ? undefined : { ...agent, name };
}

/** An agent of an unknown class: with a model, it is imported as an assistant without tools. */
function unknownAgent(
  { className, config, path }: AutoGenComponent,
  { report, models }: ImportContext,
): ParticipantDefinition | undefined {
  const client = config.component("model_client");
  if (client === undefined) {
    return report.addProblem(path, `there is no counterpart for ${className}; replace it with an AssistantAgent`);
  }
  const name = importName(config, report);
  const description = config.text("description");
  const instructions = config.text("system_message");
  const model = models.keyOf(client);
  report.omit(path, `there is no counterpart for ${className}; it becomes an assistant without tools`);
  config.omitUnused();
  return name === undefined ? undefined : withoutUndefined({ name, description, instructions, model });
}

/** Checks a name; AutoGen's names are Python identifiers, which are valid names here. */
export function importName(config: ComponentConfig, report: ImportReport): string | undefined {
  const name = config.requiredText("name");
  if (name === undefined) return undefined;
  const fault = ParticipantDefinition.safeParse({ name }).error?.issues[0];
  return fault === undefined ? name : report.addProblem(config.pathOf("name"), fault.message);
}

function handoffsOf(config: ComponentConfig, report: ImportReport): HandoffDefinition[] | undefined {
  const handoffs = config.list("handoffs").flatMap((placed): HandoffDefinition[] => {
    if (typeof placed.value === "string") return [placed.value];
    const handoff = config.nested(placed);
    const target = handoff?.requiredText("target");
    if (handoff === undefined || target === undefined) return [];
    const tool = handoff.text("name");
    if (tool !== undefined && tool !== "" && tool !== `transfer_to_${target}`.toLowerCase()) {
      report.omit(handoff.pathOf("name"), "the tool of a handoff is named after its target here");
    }
    const read = { target, description: handoff.text("description"), message: handoff.text("message") };
    handoff.omitUnused();
    return [withoutUndefined(read)];
  });
  return handoffs.length === 0 ? undefined : handoffs;
}

function outputOf(factory: AutoGenComponent | undefined): ParticipantDefinition["output"] {
  if (factory === undefined) return undefined;
  const { config } = factory;
  const schema = Object.fromEntries(Object.entries(config.map("json_schema")).map(([key, { value }]) => [key, value]));
  const name = config.text("content_model_name");
  config.omitUnused({ format_string: "a structured message is shown as it is" });
  return withoutUndefined({ name, schema });
}
