import type { HandoffDefinition, ParticipantDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import { PLAN_TOOL } from "../../shared/plan-tool.ts";
import type { CurrentModels } from "./current-models.ts";
import { REASONING_INTERRUPT } from "./interrupts/authority.ts";
import type { ToolSpec } from "./model.ts";
import { Assistant } from "./participants/assistant.ts";
import type { BuiltInTools } from "./participants/built-in-tools.ts";
import type { Handoff } from "./participants/handoff-tools.ts";
import { InterruptReasoningTool } from "./participants/interrupt-reasoning-tool.ts";
import { capabilityTargets, InterruptTool } from "./participants/interrupt-tool.ts";
import type { LaterTools } from "./participants/later-tools.ts";
import { memoryFromDefinition } from "./participants/memory.ts";
import type { TeamParts } from "./parts.ts";
import type { Tool, ToolSource } from "./tool.ts";
import type { Watchdogs } from "./watch/watchdogs.ts";

export interface BuildAssistantOptions {
  readonly definition: ParticipantDefinition;
  /** The id of the root team. */
  readonly teamId: string;
  /** The team of the assistant. */
  readonly team: TeamDefinition;
  readonly models: Pick<CurrentModels, "model" | "window">;
  readonly tools: readonly Pick<Tool, "declaration">[];
  readonly sources: readonly ToolSource[];
  readonly parts: Pick<TeamParts, "readMemory">;
  /** Carries out the interrupts that its capabilities allow it to request; left out for one without capabilities. */
  readonly watchdogs?: Pick<Watchdogs, "interrupt" | "interruptReasoning">;
}

/** The assistant that a definition describes. */
export function buildAssistant(options: BuildAssistantOptions): Assistant {
  const { definition, teamId, team, models, tools, sources, parts, watchdogs } = options;
  const { name, description, memory, output } = definition;
  const readMemory = parts.readMemory?.bind(parts);
  const reader = { participant: name, teamId };
  return new Assistant({
    name,
    instructions: definition.instructions ?? defaultInstructions(name, description, team),
    model: () => models.model(definition),
    tools: tools.map(specOf),
    ...(sources.length === 0 ? {} : { laterTools: laterTools(sources) }),
    handoffs: definition.handoffs?.map((handoff) => handoffOf(handoff, team)),
    output: output && { name: output.name ?? "answer", schema: output.schema },
    memory: memory && memoryFromDefinition(memory, readMemory && ((file) => readMemory(file, reader))),
    keepsNotes: memory?.keep,
    keepsPlan:
      definition.tools?.includes(PLAN_TOOL) && !tools.some(({ declaration }) => declaration.name === PLAN_TOOL),
    watchTools: watchdogs && watchTools(definition, watchdogs),
    context: definition.context,
    window: () => models.window(definition),
    maxToolIterations: definition.maxToolIterations,
    reflectOnToolUse: definition.reflectOnToolUse,
    toolCallSummaryFormat: definition.toolCallSummaryFormat,
  });
}

const specOf = ({ declaration: { name, description, inputSchema } }: Pick<Tool, "declaration">): ToolSpec => ({
  name,
  description,
  inputSchema,
});

/** The tools of all sources, which become known at the same time. */
const laterTools = (sources: readonly ToolSource[]): LaterTools => ({
  ready: async (signal) => void (await Promise.all(sources.map((source) => source.ready(signal)))),
  specs: () => {
    const byName = new Map(sources.flatMap(({ tools }) => tools.map((tool) => [tool.declaration.name, tool] as const)));
    return [...byName.values()].map(specOf);
  },
});

/** The built-in tools that the capabilities of a participant give it. */
function watchTools(
  { name, capabilities }: ParticipantDefinition,
  watchdogs: NonNullable<BuildAssistantOptions["watchdogs"]>,
): BuiltInTools[] {
  const team = capabilityTargets("interrupt", capabilities);
  const reasoning = capabilityTargets(REASONING_INTERRUPT, capabilities);
  return [
    ...(team === undefined
      ? []
      : [new InterruptTool({ participant: name, targets: team, interrupt: (wanted) => watchdogs.interrupt(wanted) })]),
    ...(reasoning === undefined
      ? []
      : [
          new InterruptReasoningTool({
            participant: name,
            targets: reasoning,
            interrupt: (wanted) => watchdogs.interruptReasoning(wanted),
          }),
        ]),
  ];
}

/** A handoff without a description gets that of its target in the team's definition. */
function handoffOf(definition: HandoffDefinition, team: TeamDefinition): Handoff {
  const handoff: Handoff = typeof definition === "string" ? { target: definition } : definition;
  const about = team.participants.find(({ name }) => name === handoff.target)?.description;
  if (handoff.description !== undefined || about === undefined) return handoff;
  return { ...handoff, description: `Hand off the conversation to ${handoff.target}: ${about}` };
}

function defaultInstructions(name: string, description: string | undefined, team: TeamDefinition): string {
  const others = team.participants.filter((other) => other.name !== name).map((other) => other.name);
  const role = description === undefined ? "" : ` ${description}`;
  const company = others.length === 0 ? "" : ` You work in a team with ${others.join(", ")} and the user.`;
  return `You are ${name}.${role}${company} Respond only with what moves the task forward.`;
}
