import type { ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { invalidDefinition } from "../../../shared/errors.ts";
import { initialTeamState } from "../../../shared/team-state.ts";
import { createCondition } from "../conditions/conditions.ts";
import { managerFor } from "../managers/managers.ts";
import type { Model } from "../model.ts";
import { Assistant } from "../participants/assistant.ts";
import { happeningsOf, installParticipant } from "../participants/container.ts";
import type { Participant } from "../participants/participant.ts";
import { ToolDesk } from "../participants/tool-desk.ts";
import { InProcessRuntime } from "../runtime/in-process-runtime.ts";
import type { Tool } from "../tool.ts";
import { ConditionFeed } from "./condition-feed.ts";
import type { Journal } from "./journal.ts";
import { Ledger } from "./ledger.ts";
import { modelFor } from "./model-choice.ts";
import type { TeamOptions } from "./options.ts";
import { Team } from "./team.ts";
import { Transcript } from "./transcript.ts";
import { Turns } from "./turns.ts";

/** How long what was aborted is waited for: a receipt comes within 2 s (contract, section 6), with a little to spare. */
const GRACE_MS = 1_900;

const memory: Journal = { append: () => {}, appendTransient: () => {} };

/**
 * Puts a team together from its definition, or from what was kept of it.
 * @throws GavelError `InvalidDefinition` with all problems, when the definition names what there is not.
 */
export function createTeam(options: TeamOptions): Team {
  const { teamId, definition, stored } = options;
  const members = buildMembers(options);
  const manager = managerFor(definition.kind);
  const state = stored?.state ?? initialTeamState(teamId, definition, options.uri);
  const transcript = new Transcript(stored && (() => stored.history()));
  const conditions = new ConditionFeed(definition.termination && createCondition(definition.termination));
  const ledger = new Ledger(state, options.journal ?? memory, [transcript, conditions]);

  // What fails in a turn's telling fails the run; the team that it fails is made of what the runtime carries.
  const fail = (error: unknown): void => team.fail(error);
  const runtime = new InProcessRuntime(fail);
  const graceMs = options.graceMs ?? GRACE_MS;
  const contexts = new Map(definition.participants.map(({ name, context }) => [name, context]));
  const turns = new Turns({ teamId, ledger, transcript, runtime, graceMs, contexts, onFailure: fail });
  for (const { participant, tools } of members) {
    const desk = new ToolDesk({
      teamId,
      participant: participant.name,
      tools,
      emit: (draft) => runtime.publish(happeningsOf(teamId), { draft }),
    });
    const isCallKnown = (ref: string): boolean => transcript.hasCall(ref);
    installParticipant({ teamId, participant, desk, runtime, graceMs, isCallKnown });
  }
  const user = options.user ?? "user";
  const { maxTurns } = definition;
  const team = new Team({ teamId, ledger, transcript, conditions, manager, turns, runtime, graceMs, user, maxTurns });
  return team;
}

interface Member {
  readonly participant: Participant;
  readonly tools: readonly Tool[];
}

function buildMembers(options: TeamOptions): Member[] {
  const { definition } = options;
  const problems: Problem[] = [];
  const members = definition.participants.map((participant, at) => {
    const tools = toolsOf(participant, at, options, problems);
    return { participant: participantFor(participant, at, tools, options, problems), tools };
  });
  if (problems.length > 0) throw invalidDefinition(`The team "${definition.name}"`, problems);
  return members.flatMap(({ participant, tools }) => (participant === undefined ? [] : [{ participant, tools }]));
}

function toolsOf(participant: ParticipantDefinition, at: number, { parts }: TeamOptions, problems: Problem[]): Tool[] {
  return (participant.tools ?? []).flatMap((wanted, index) => {
    const tool = parts.tool(wanted);
    if (tool !== undefined) return [tool];
    const name = typeof wanted === "string" ? wanted : wanted.name;
    problems.push({ path: `participants[${at}].tools[${index}]`, message: `there is no tool "${name}"` });
    return [];
  });
}

function participantFor(
  definition: ParticipantDefinition,
  at: number,
  tools: readonly Tool[],
  { parts, definition: team }: TeamOptions,
  problems: Problem[],
): Participant | undefined {
  const coded = parts.participant?.(definition);
  if (coded !== undefined) return coded;
  if (definition.kind !== undefined && definition.kind !== "assistant") {
    problems.push({
      path: `participants[${at}].kind`,
      message: `this version has no ${definition.kind} participants yet; use assistant`,
    });
    return undefined;
  }
  const model = modelFor(definition, team, parts.defaultModel);
  if (typeof model === "string") {
    problems.push({ path: `participants[${at}].model`, message: model });
    return undefined;
  }
  return assistantFor(definition, team, parts.model(model), tools);
}

function assistantFor(
  definition: ParticipantDefinition,
  team: TeamDefinition,
  model: Model,
  tools: readonly Tool[],
): Assistant {
  const { name, description, maxToolIterations, reflectOnToolUse } = definition;
  return new Assistant({
    name,
    instructions: definition.instructions ?? defaultInstructions(name, description, team),
    model,
    tools: tools.map(({ declaration }) => ({
      name: declaration.name,
      description: declaration.description,
      inputSchema: declaration.inputSchema,
    })),
    maxToolIterations,
    reflectOnToolUse,
  });
}

function defaultInstructions(name: string, description: string | undefined, team: TeamDefinition): string {
  const others = team.participants.filter((other) => other.name !== name).map((other) => other.name);
  const role = description === undefined ? "" : ` ${description}`;
  const company = others.length === 0 ? "" : ` You talk with ${others.join(", ")} and the user.`;
  return `You are ${name}.${role}${company} Say what moves the task forward, and no more.`;
}
