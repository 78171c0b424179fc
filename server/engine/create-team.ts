import type { ContextDefinition, ParticipantDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import { invalidDefinition, modelError } from "../../shared/contract/errors.ts";
import type { Problem } from "../../shared/contract/problem.ts";
import type { QueuedMessage } from "../../shared/contract/team.ts";
import { PLAN_TOOL } from "../../shared/plan-tool.ts";
import { initialTeamState, innerId, withModels } from "../../shared/state/team-state.ts";
import { declaredOutcome } from "./approvals/evaluate-call.ts";
import { unlessSeveralApprove } from "./approvals/several-approvers.ts";
import { buildAssistant } from "./build-assistant.ts";
import { ToolExecutor } from "./calls/tool-executor.ts";
import { AnyCondition } from "./conditions/combined-conditions.ts";
import { createCondition } from "./conditions/create-condition.ts";
import type { TerminationCondition } from "./conditions/termination-condition.ts";
import { CurrentModels } from "./current-models.ts";
import { globMatcher } from "./glob.ts";
import { newId } from "./id.ts";
import { findAddressee } from "./log/addressee.ts";
import { type History, nestedHistory } from "./log/history.ts";
import type { Journal } from "./log/journal.ts";
import { type Ledger, RootLedger } from "./log/ledger.ts";
import { createManager } from "./managers/create-manager.ts";
import type { Participant } from "./participants/participant.ts";
import { installParticipant, participantEvents } from "./participants/participant-container.ts";
import { SocietyOfMind } from "./participants/society-of-mind.ts";
import { TeamParticipant } from "./participants/team-participant.ts";
import { UserParticipant } from "./participants/user-participant.ts";
import type { TeamParts } from "./parts.ts";
import { samePath } from "./paths.ts";
import { ConditionFeed } from "./run/condition-feed.ts";
import { Transcript } from "./run/transcript.ts";
import { Turns } from "./run/turns.ts";
import { InProcessRuntime } from "./runtime/in-process-runtime.ts";
import type { Runtime } from "./runtime/runtime.ts";
import { requiredApprovals } from "./team/count-approvals.ts";
import { GroupChat } from "./team/group-chat.ts";
import type { Team } from "./team/team.ts";
import type { TeamOptions } from "./team-options.ts";
import { systemTimers } from "./timers.ts";
import type { Tool, ToolSource } from "./tool.ts";
import { watchTeam } from "./watch/watch-team.ts";
import { Watchdogs } from "./watch/watchdogs.ts";

/** How long aborted work may take to stop, in milliseconds: a receipt must come within 2 s (PROTOCOL.md, "Interrupts"). */
const GRACE_MS = 1_900;

/** Who acts in a team of one user. */
const USER = "user";

const memory: Journal = { append: () => {}, appendTransient: () => {}, durable: () => undefined };

const noParts: TeamParts = {
  model: ({ provider }) => {
    const message = `There is no model for the provider "${provider}"; pass parts.model, a function that returns one.`;
    throw modelError(message, { retryable: false });
  },
  tool: () => undefined,
};

/**
 * Creates a team from its definition, or from its stored state.
 * @throws GavelError `InvalidDefinition` with all problems, if the definition names models, tools or participants that do
 * not exist.
 */
export function createTeam(given: TeamOptions): Team {
  const { stored, teamId = stored?.state.teamId ?? newId("team") } = given;
  // Participants may have been changed since.
  const definition = stored?.state.definition ?? given.definition;
  const options = { ...given, definition, teamId, parts: { ...noParts, ...given.parts } };
  const state = stored?.state ?? initialTeamState(teamId, definition, options.uri);
  const ledger = new RootLedger(state, options.journal ?? memory);
  const problems: Problem[] = [];
  // The callback refers to the team because the runtime is created before it.
  const runtime = new InProcessRuntime((error) => team.fail(error), options.timers);
  const build = { options, problems, runtime, root: () => team };
  const history = stored && { all: () => stored.history(), recent: async () => stored.recent?.() };
  const team = buildTeam({
    build,
    teamId,
    definition,
    outerModels: undefined,
    ledger,
    history,
    path: "",
    place: [],
    termination: options.termination,
  });
  if (problems.length > 0) throw invalidDefinition(`The team "${definition.name}"`, problems);
  watchTeam(team, { ...options, ledger });
  return team;
}

/** What a team and its nested teams have in common. */
interface Build {
  readonly options: TeamOptions & { readonly teamId: string; readonly parts: TeamParts };
  /** All problems of the definition. */
  readonly problems: Problem[];
  readonly runtime: Runtime;
  /** The outermost team. */
  readonly root: () => Team;
}

/** One team of the tree, outermost or nested. */
interface Node {
  readonly build: Build;
  readonly teamId: string;
  readonly definition: TeamDefinition;
  /** The models of the teams around it. */
  readonly outerModels: TeamDefinition["models"];
  readonly ledger: Ledger;
  readonly history: History | undefined;
  /** The path of this definition in the outermost one, for problems: empty, or ending with a dot. */
  readonly path: string;
  /** The participants that lead to the team. */
  readonly place: readonly string[];
  readonly termination?: TerminationCondition | undefined;
}

/** Whether a team's definition has the user review the results of a tool that its participant calls. */
function reviewsOf({ participants }: TeamDefinition, name: string): ((tool: string) => boolean) | undefined {
  const { review } = participants.find((participant) => participant.name === name) ?? {};
  if (review === undefined) return undefined;
  const matchers = review.map((pattern) => (pattern === "*" ? () => true : globMatcher(pattern)));
  return (tool) => matchers.some((matches) => matches(tool));
}

function buildTeam(node: Node): Team {
  const { build, teamId, definition, ledger } = node;
  const { options, runtime } = build;
  const inner = new Map<string, Team>();
  const transcript = new Transcript(node.history?.all, node.history?.recent);
  const conditions = new ConditionFeed(conditionOf(node));
  ledger.addProjection(transcript);
  ledger.addProjection(conditions);
  const graceMs = options.graceMs ?? GRACE_MS;
  const user = options.user ?? (() => USER);
  const models = new CurrentModels({ ledger, definition, outer: node.outerModels, parts: options.parts });
  const members = definition.participants.map((participant, at) => {
    const { tools, sources } = toolsOf(node, participant, at);
    const member = participantFor({ ...node, models }, participant, at, { tools, sources }, inner);
    if (member?.onEvent !== undefined) ledger.addProjection({ apply: (event) => member.onEvent?.(event) });
    return { participant: member, tools: [...tools, ...(member?.tools ?? [])], sources };
  });
  const contextOf = (name: string): ContextDefinition | undefined => {
    const member = definition.participants.find((participant) => participant.name === name);
    return member && models.context(member);
  };
  const onConcluded = (name: string): void =>
    members.find(({ participant }) => participant?.name === name)?.participant?.onConcluded?.();
  const turns = new Turns({
    teamId,
    user,
    ledger,
    waiting: () => waitingAt(node),
    commands: () => build.root().state.commands,
    transcript,
    runtime,
    graceMs,
    withoutDeadline: new Set(inner.keys()),
    contextOf,
    onConcluded,
  });
  const executors = new Map<string, ToolExecutor>();
  const required = (): number => requiredApprovals(build.root().state, options.definition);
  for (const { participant, tools, sources } of members) {
    if (participant === undefined) continue;
    const executor = new ToolExecutor({
      teamId: options.teamId,
      participant: participant.name,
      path: node.place,
      tools,
      sources,
      leavesOut: (call) => options.parts.leavesOut?.(call),
      approve: async (call) => {
        const outcome = (await options.parts.approval?.(call)) ?? declaredOutcome(call.tool);
        return unlessSeveralApprove(outcome, call.tool, required());
      },
      required,
      reviews: reviewsOf(definition, participant.name),
      emit: (draft) => runtime.publish(participantEvents(teamId), { draft }),
      durable: () => ledger.durable(),
    });
    executors.set(participant.name, executor);
    installParticipant({ teamId, participant, executor, runtime, graceMs });
  }
  const { maxTurns } = definition;
  const manager = createManager({ definition, models, functions: options.selector });
  const capabilities = new Map(
    [...definition.participants, ...(definition.monitors ?? [])].map(({ name, capabilities: granted = [] }) => [
      name,
      granted,
    ]),
  );
  const timers = options.timers ?? systemTimers;
  const flow = { definition, ledger, transcript, conditions, manager, turns, maxTurns };
  return new GroupChat({
    ...flow,
    teamId,
    isNested: node.place.length > 0,
    runtime,
    graceMs,
    user,
    keepName: options.keepName ?? (() => (work) => work()),
    inner,
    executors,
    contextOf,
    models,
    capabilities,
    timers,
    history: node.history,
  });
}

/** The directed messages that wait for participants of this team. All wait in the root team. */
function waitingAt({ build, place }: Node): readonly QueuedMessage[] {
  const { state } = build.root();
  return state.queued.flatMap((message) => {
    if (message.to === undefined) return place.length === 0 ? [message] : [];
    const addressee = findAddressee(state, message.to);
    return addressee !== undefined && samePath(addressee.path, place) ? [{ ...message, to: addressee.name }] : [];
  });
}

function conditionOf({ definition, termination }: Node): TerminationCondition | undefined {
  const described = definition.termination && createCondition(definition.termination);
  if (described === undefined || termination === undefined) return described ?? termination;
  return new AnyCondition([described, termination]);
}

/** The tools of a participant, and the sources of those that are known later. */
interface ParticipantTools {
  readonly tools: readonly Tool[];
  readonly sources: readonly ToolSource[];
}

function toolsOf({ build, path }: Node, participant: ParticipantDefinition, at: number): ParticipantTools {
  const sources: ToolSource[] = [];
  const { parts, definition } = build.options;
  const { name: ownName, on, tools = [] } = participant;
  const there = on && parts.workerTools?.(on.worker, { participant: on.participant ?? ownName });
  if (there !== undefined) sources.push(there);
  const known = tools.flatMap((wanted, index) => {
    if (typeof wanted !== "string" && "on" in wanted) {
      const source = parts.workerTools?.(wanted.on.worker, { names: wanted.name });
      const message = "cannot be used here, as there are no workers";
      if (source === undefined) build.problems.push({ path: `${path}participants[${at}].tools[${index}]`, message });
      else sources.push(source);
      return [];
    }
    const source =
      typeof wanted === "string" && wanted.includes("/") ? parts.toolSource?.(wanted, definition) : undefined;
    if (source !== undefined) {
      sources.push(source);
      return [];
    }
    const tool = parts.tool(wanted);
    if (tool !== undefined) return [tool, ...(tool.companions ?? [])];
    // The participant answers it itself.
    if (wanted === PLAN_TOOL) return [];
    const name = typeof wanted === "string" ? wanted : wanted.name;
    build.problems.push({ path: `${path}participants[${at}].tools[${index}]`, message: `unknown tool "${name}"` });
    return [];
  });
  return { tools: uniqueTools(known), sources };
}

/** A companion gives way to a tool of its name that the participant has by itself. */
function uniqueTools(tools: readonly Tool[]): Tool[] {
  const companions = new Set(tools.flatMap(({ companions = [] }) => companions));
  const names = new Set(tools.filter((tool) => !companions.has(tool)).map(({ declaration }) => declaration.name));
  return tools.filter(
    (tool, at) => !(companions.has(tool) && (names.has(tool.declaration.name) || tools.indexOf(tool) < at)),
  );
}

function participantFor(
  node: Node & { readonly models: CurrentModels },
  definition: ParticipantDefinition,
  at: number,
  tools: ParticipantTools,
  inner: Map<string, Team>,
): Participant | undefined {
  const { build, path, models } = node;
  const { parts } = build.options;
  const place = { teamId: build.options.teamId, path: node.place, team: node.definition };
  const coded = parts.participant?.(definition, place);
  if (coded !== undefined) return coded;
  const { name, kind = "assistant", team, on } = definition;
  if (on !== undefined) {
    build.problems.push({ path: `${path}participants[${at}].on`, message: "cannot run here, as there are no workers" });
    return undefined;
  }
  if (kind === "acp" || kind === "a2a") {
    const message = "cannot run here, as no agents are available";
    build.problems.push({ path: `${path}participants[${at}].kind`, message });
    return undefined;
  }
  if (kind === "user") return new UserParticipant(name);
  if (kind === "team" || kind === "societyOfMind") {
    if (team === undefined) {
      build.problems.push({
        path: `${path}participants[${at}].team`,
        message: "is missing; describe the nested team in `team`",
      });
      return undefined;
    }
    const nested = nestedTeam(node, name, team, at);
    inner.set(name, nested);
    if (kind === "team") return new TeamParticipant(name, node.definition.name, nested);
    const outer = node.definition.name;
    const model = () => models.model(definition);
    const context = () => models.context(definition);
    if (hasModel(node, definition, at)) return new SocietyOfMind({ definition, outer, team: nested, model, context });
    return undefined;
  }
  if (!hasModel(node, definition, at)) return undefined;
  const watchdogs = new Watchdogs({ root: build.root, ledger: node.ledger, path: node.place });
  const { teamId } = build.options;
  const assistant = buildAssistant({ definition, teamId, team: node.definition, models, ...tools, parts, watchdogs });
  return parts.elsewhere?.(assistant, definition, place) ?? assistant;
}

/** Adds a problem for a participant without a model. */
function hasModel(
  { build, path, models }: Node & { readonly models: CurrentModels },
  definition: ParticipantDefinition,
  at: number,
): boolean {
  const missing = models.check(definition);
  if (missing !== undefined) build.problems.push({ path: `${path}participants[${at}].model`, message: missing });
  return missing === undefined;
}

/** The nested team of a participant; it uses the models of the outer team unless it defines its own. */
function nestedTeam(node: Node, participant: string, team: TeamDefinition, at: number): Team {
  const { build, teamId, definition, ledger, history, path } = node;
  return buildTeam({
    build,
    teamId: innerId(teamId, participant),
    definition: withModels(team, definition),
    outerModels: { ...node.outerModels, ...definition.models },
    ledger: ledger.nested(participant),
    history: history && nestedHistory(participant, history),
    path: `${path}participants[${at}].team.`,
    place: [...node.place, participant],
  });
}
