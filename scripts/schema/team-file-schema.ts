import * as z from "zod";
import { ParticipantReferences, TeamReferences } from "../../server/host/agent-files/agent-reference.ts";
import { Condition } from "../../shared/contract/condition.ts";
import * as contract from "../../shared/contract/definition.ts";
import { InterruptRule, Watched } from "../../shared/contract/interrupt-rule.ts";
import { McpHttpServer, McpProgram } from "../../shared/contract/mcp.ts";
import { describeAll } from "./describe.ts";
import { DESCRIPTIONS } from "./descriptions.ts";
import { type JsonSchema, mapped } from "./json-schema.ts";
import { KEY_RULES, RULES } from "./rules.ts";

/** The schemas that become definitions of their own, by name, so that editors' hints can name them. */
const NAMED: Readonly<Record<string, z.ZodType>> = {
  Team: contract.TeamDefinition,
  Participant: contract.ParticipantDefinition,
  Handoff: contract.HandoffDefinition,
  Memory: contract.MemoryDefinition,
  Capability: contract.Capability,
  Monitor: contract.Monitor,
  Context: contract.ContextDefinition,
  Tool: contract.ToolDeclaration,
  WorkerTool: contract.WorkerTool,
  OpenAiModel: contract.OpenAiModel,
  AzureModel: contract.AzureModel,
  AnthropicModel: contract.AnthropicModel,
  GeminiModel: contract.GeminiModel,
  ClientModel: contract.ClientModel,
  WorkerModel: contract.WorkerModel,
  PracticeModel: contract.PracticeModel,
  McpProgram,
  McpHttpServer,
  PracticeLine: contract.PracticeLine,
  SelectorRule: contract.SelectorRule,
  Edge: contract.GraphEdge,
  EdgeCondition: contract.EdgeCondition,
  InterruptRule,
  Watched,
  Condition,
};

/**
 * The JSON Schema of team files, in draft-07, which every editor supports. It consists of the contract's schemas and
 * those further checks of the host that a JSON Schema can express; unknown names are found by the host. An AutoGen
 * component is a team file too, and its content is not checked here.
 * @throws Error when a key has no description, or a description has no key.
 */
export function teamFileSchema(): JsonSchema {
  const metadata = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) metadata.add(schema, { id });
  const whole = z.toJSONSchema(z.object({ team: contract.TeamDefinition }), {
    target: "draft-7",
    io: "input",
    metadata,
  }) as JsonSchema;
  const definitions = mapped(describeAll(withReferences(whole.definitions ?? {}), DESCRIPTIONS), withRules);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Gavel team file",
    type: "object",
    if: { required: ["provider", "component_type"] },
    else: { $ref: "#/definitions/Team" },
    definitions,
  };
}

/** The keys that name files, which are gone from a definition: its participants and instructions are those of the files. */
function withReferences(definitions: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const added = { Team: TeamReferences, Participant: ParticipantReferences };
  return mapped({ ...definitions }, (definition, name) => {
    const references = name === "Team" || name === "Participant" ? added[name] : undefined;
    if (references === undefined) return definition;
    const { properties } = z.toJSONSchema(references, { target: "draft-7", io: "input" }) as JsonSchema;
    const { required, ...rest } = definition;
    // The name may be that of an agent file: `RULES` say when it is required.
    const isRequired = name === "Participant" || required === undefined ? {} : { required };
    return { ...rest, ...isRequired, properties: { ...definition.properties, ...properties } };
  });
}

function withRules(definition: JsonSchema, name: string): JsonSchema {
  const rules = KEY_RULES[name] ?? {};
  const { properties } = definition;
  return {
    ...definition,
    ...(properties === undefined
      ? {}
      : {
          properties: mapped(properties, (property, key) =>
            typeof property === "boolean" ? property : { ...property, ...rules[key] },
          ),
        }),
    ...RULES[name],
  };
}
