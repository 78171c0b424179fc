import {
  type HandoffDefinition,
  ParticipantDefinition,
  type TeamDefinition,
} from "../../../shared/contract/definition.ts";
import { type Component, type Config, compact, type Reading } from "./component.ts";
import { contextOf, memoryOf } from "./contexts.ts";
import type { Models } from "./models.ts";
import { leaveOutTools } from "./tools.ts";

/** What an agent's reading goes by. `team` reads a nested team, by its own rules. */
export interface Reader {
  readonly reading: Reading;
  readonly models: Models;
  team(component: Component): TeamDefinition | undefined;
}

/** AutoGen's own default, and ours, for how a call stands in a summary. */
const PLAIN_RESULT = "{result}";

/** An agent's counterpart; nothing where there is none, which is a fault: without it the team would be another. */
export function participantOf(agent: Component, reader: Reader): ParticipantDefinition | undefined {
  const { className, config } = agent;
  switch (className) {
    case "AssistantAgent":
      return assistant(config, reader);
    case "UserProxyAgent":
      return user(config, reader.reading);
    case "SocietyOfMindAgent":
      return societyOfMind(config, reader);
    case "MessageFilterAgent":
      return filtered(config, reader);
    default:
      return stranger(agent, reader);
  }
}

function assistant(config: Config, { reading, models }: Reader): ParticipantDefinition | undefined {
  const name = nameOf(config, reading);
  const format = config.text("tool_call_summary_format");
  const read = {
    description: config.text("description"),
    instructions: config.text("system_message"),
    model: models.keyOf(config.component("model_client")),
    handoffs: handoffsOf(config, reading),
    output: outputOf(config.component("structured_message_factory")),
    memory: memoryOf(config.components("memory"), reading),
    maxToolIterations: config.number("max_tool_iterations") ?? 1,
    reflectOnToolUse: config.flag("reflect_on_tool_use"),
    toolCallSummaryFormat: format === PLAIN_RESULT ? undefined : format,
    context: contextOf(config.component("model_context"), reading),
  };
  leaveOutTools(config.components("tools"), config.components("workbench"), reading);
  config.settled("model_client_stream");
  config.rest();
  return name === undefined ? undefined : compact({ name, ...read });
}

function user(config: Config, reading: Reading): ParticipantDefinition | undefined {
  const name = nameOf(config, reading);
  const description = config.text("description");
  config.rest({ input_func: "the user speaks in the chat" });
  return name === undefined ? undefined : compact<ParticipantDefinition>({ name, kind: "user", description });
}

function societyOfMind(config: Config, { reading, models, team }: Reader): ParticipantDefinition | undefined {
  const name = nameOf(config, reading);
  const inner = config.component("team");
  if (inner === undefined) reading.fault(config.at("team"), "is missing; an agent of this kind has a team");
  const instructions = [config.text("instruction"), config.text("response_prompt")].filter(
    (text) => text !== undefined,
  );
  const read = {
    description: config.text("description"),
    instructions: instructions.length === 0 ? undefined : instructions.join("\n\n"),
    model: models.keyOf(config.component("model_client")),
    context: contextOf(config.component("model_context"), reading),
    team: inner && team(inner),
  };
  config.rest();
  return name === undefined ? undefined : compact<ParticipantDefinition>({ name, kind: "societyOfMind", ...read });
}

/** An agent that is shown a part of the talk: here it is shown all of it. */
function filtered(config: Config, reader: Reader): ParticipantDefinition | undefined {
  const name = nameOf(config, reader.reading);
  const wrapped = config.component("wrapped_agent");
  if (wrapped === undefined) reader.reading.fault(config.at("wrapped_agent"), "is missing; this agent wraps another");
  const agent = wrapped && participantOf(wrapped, reader);
  config.rest({ filter: "participants are shown the whole talk, or what their context keeps of it" });
  return name === undefined || agent === undefined ? undefined : { ...agent, name };
}

/** An agent of a class that Gavel does not know: with a model it can at least speak. */
function stranger(
  { className, config, place }: Component,
  { reading, models }: Reader,
): ParticipantDefinition | undefined {
  const client = config.component("model_client");
  if (client === undefined) {
    return reading.fault(place, `there is no counterpart for ${className}; put an AssistantAgent in its place`);
  }
  const name = nameOf(config, reading);
  const description = config.text("description");
  const instructions = config.text("system_message");
  const model = models.keyOf(client);
  reading.leaveOut(place, `there is no counterpart for ${className}; it becomes an assistant that only speaks`);
  config.rest();
  return name === undefined ? undefined : compact({ name, description, instructions, model });
}

/** A name that participants can have, which AutoGen's Python identifiers are. */
export function nameOf(config: Config, reading: Reading): string | undefined {
  const name = config.required("name");
  if (name === undefined) return undefined;
  const fault = ParticipantDefinition.safeParse({ name }).error?.issues[0];
  return fault === undefined ? name : reading.fault(config.at("name"), fault.message);
}

function handoffsOf(config: Config, reading: Reading): HandoffDefinition[] | undefined {
  const handoffs = config.list("handoffs").flatMap((placed): HandoffDefinition[] => {
    if (typeof placed.value === "string") return [placed.value];
    const handoff = config.within(placed);
    const target = handoff?.required("target");
    if (handoff === undefined || target === undefined) return [];
    const tool = handoff.text("name");
    if (tool !== undefined && tool !== "" && tool !== `transfer_to_${target}`.toLowerCase()) {
      reading.leaveOut(handoff.at("name"), "the tool of a handoff is named after its target here");
    }
    const read = { target, description: handoff.text("description"), message: handoff.text("message") };
    handoff.rest();
    return [compact(read)];
  });
  return handoffs.length === 0 ? undefined : handoffs;
}

function outputOf(factory: Component | undefined): ParticipantDefinition["output"] {
  if (factory === undefined) return undefined;
  const { config } = factory;
  const schema = Object.fromEntries(Object.entries(config.map("json_schema")).map(([key, { value }]) => [key, value]));
  const name = config.text("content_model_name");
  config.rest({ format_string: "a structured message is shown as it is" });
  return compact({ name, schema });
}
