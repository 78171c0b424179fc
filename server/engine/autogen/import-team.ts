import type { ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import { type AutoGenComponent, ComponentConfig, type ImportReport, withoutUndefined } from "./autogen-component.ts";
import { importCondition } from "./import-condition.ts";
import { importContext } from "./import-context.ts";
import { importGraph } from "./import-graph.ts";
import { type ImportContext, importName, importParticipant } from "./import-participant.ts";
import type { ImportedModels } from "./imported-models.ts";

const KINDS: Readonly<Record<string, TeamDefinition["kind"]>> = {
  RoundRobinGroupChat: "roundRobin",
  SelectorGroupChat: "selector",
  Swarm: "swarm",
  GraphFlow: "graph",
  MagenticOneGroupChat: "magentic",
};

/** The team classes that have a counterpart. */
const isTeamClass = (className: string): boolean => Object.hasOwn(KINDS, className);

/** Imports a team, and its models into `models`; undefined when there is no counterpart, which is a problem. */
export function importTeam(
  component: AutoGenComponent,
  report: ImportReport,
  models: ImportedModels,
): TeamDefinition | undefined {
  const { className, config, path } = component;
  const kind = isTeamClass(className) ? KINDS[className] : undefined;
  if (kind === undefined) {
    const known = Object.keys(KINDS).join(", ");
    return report.addProblem(path, `${className} is not a team that can be imported; use one of ${known}`);
  }
  const context: ImportContext = { report, models, team: (inner) => importTeam(inner, report, models) };
  const participants = config.components("participants").flatMap((member) => importMember(member, context) ?? []);
  const team: TeamDefinition = withoutUndefined({
    name: config.text("name") || className,
    description: config.text("description"),
    kind,
    participants,
    termination: importCondition(config.component("termination_condition"), report),
    maxTurns: config.number("max_turns"),
    ...settingsOf(kind, config, participants, context),
  });
  config.ignore("emit_team_events");
  config.omitUnused({ selector_func: "it is Python code", candidate_func: "it is Python code" });
  return team;
}

/** A participant may itself be a team. */
function importMember(member: AutoGenComponent, context: ImportContext): ParticipantDefinition | undefined {
  if (!isTeamClass(member.className)) return importParticipant(member, context);
  const team = context.team(member);
  if (team === undefined) return undefined;
  const named = new ComponentConfig({ name: team.name }, member.config.path, context.report);
  const name = importName(named, context.report);
  return name === undefined
    ? undefined
    : withoutUndefined<ParticipantDefinition>({ name, kind: "team", description: team.description, team });
}

function settingsOf(
  kind: TeamDefinition["kind"],
  config: ComponentConfig,
  participants: readonly ParticipantDefinition[],
  { report, models }: ImportContext,
): Partial<TeamDefinition> {
  switch (kind) {
    case "selector":
      return { selector: selectorOf(config, models, report) };
    case "magentic":
      return {
        magentic: withoutUndefined({
          model: models.keyOf(config.component("model_client")),
          maxStalls: config.number("max_stalls"),
          finalAnswerPrompt: config.text("final_answer_prompt") || undefined,
        }),
      };
    case "graph": {
      const graph = config.nested({ value: config.take("graph"), path: config.pathOf("graph") });
      const names = participants.map(({ name }) => name);
      return graph === undefined ? {} : { graph: importGraph(graph, names, report) };
    }
    default:
      return {};
  }
}

function selectorOf(config: ComponentConfig, models: ImportedModels, report: ImportReport): TeamDefinition["selector"] {
  const context = config.component("model_context");
  if (importContext(context, report) !== undefined && context !== undefined) {
    report.omit(context.path, "the selector's model is shown the whole conversation");
  }
  config.ignore("model_client_streaming");
  return withoutUndefined({
    model: models.keyOf(config.component("model_client")),
    prompt: config.text("selector_prompt") || undefined,
    allowRepeats: config.boolean("allow_repeated_speaker"),
    maxAttempts: config.number("max_selector_attempts"),
  });
}
