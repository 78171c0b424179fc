import type { ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import { nameOf, participantOf, type Reader } from "./agents.ts";
import { type Component, Config, compact, type Reading } from "./component.ts";
import { conditionOf } from "./conditions.ts";
import { contextOf } from "./contexts.ts";
import { graphOf } from "./graph.ts";
import type { Models } from "./models.ts";

const KINDS: Readonly<Record<string, TeamDefinition["kind"]>> = {
  RoundRobinGroupChat: "roundRobin",
  SelectorGroupChat: "selector",
  Swarm: "swarm",
  GraphFlow: "graph",
  MagenticOneGroupChat: "magentic",
};

/** The classes of teams that have a counterpart. */
const isTeamClass = (className: string): boolean => Object.hasOwn(KINDS, className);

/** A team's counterpart, without its models, which `models` gathers; nothing where there is none, which is a fault. */
export function teamOf(component: Component, reading: Reading, models: Models): TeamDefinition | undefined {
  const { className, config, place } = component;
  const kind = isTeamClass(className) ? KINDS[className] : undefined;
  if (kind === undefined) {
    const known = Object.keys(KINDS).join(", ");
    return reading.fault(place, `${className} is no team that can be read; those are ${known}`);
  }
  const reader: Reader = { reading, models, team: (inner) => teamOf(inner, reading, models) };
  const participants = config.components("participants").flatMap((member) => memberOf(member, reader) ?? []);
  const team: TeamDefinition = compact({
    name: config.text("name") || className,
    description: config.text("description"),
    kind,
    participants,
    termination: conditionOf(config.component("termination_condition"), reading),
    maxTurns: config.number("max_turns"),
    ...settingsOf(kind, config, participants, reader),
  });
  config.settled("emit_team_events");
  config.rest({ selector_func: "it is Python code", candidate_func: "it is Python code" });
  return team;
}

/** A participant may be a team itself. */
function memberOf(member: Component, reader: Reader): ParticipantDefinition | undefined {
  if (!isTeamClass(member.className)) return participantOf(member, reader);
  const team = reader.team(member);
  if (team === undefined) return undefined;
  const named = new Config({ name: team.name }, member.config.place, reader.reading);
  const name = nameOf(named, reader.reading);
  return name === undefined
    ? undefined
    : compact<ParticipantDefinition>({ name, kind: "team", description: team.description, team });
}

function settingsOf(
  kind: TeamDefinition["kind"],
  config: Config,
  participants: readonly ParticipantDefinition[],
  { reading, models }: Reader,
): Partial<TeamDefinition> {
  switch (kind) {
    case "selector":
      return { selector: selectorOf(config, models, reading) };
    case "magentic":
      return {
        magentic: compact({
          model: models.keyOf(config.component("model_client")),
          maxStalls: config.number("max_stalls"),
          finalAnswerPrompt: config.text("final_answer_prompt") || undefined,
        }),
      };
    case "graph": {
      const graph = config.within({ value: config.take("graph"), place: config.at("graph") });
      const names = participants.map(({ name }) => name);
      return graph === undefined ? {} : { graph: graphOf(graph, names, reading) };
    }
    default:
      return {};
  }
}

function selectorOf(config: Config, models: Models, reading: Reading): TeamDefinition["selector"] {
  const context = config.component("model_context");
  if (contextOf(context, reading) !== undefined && context !== undefined) {
    reading.leaveOut(context.place, "the selector's model is shown the whole talk");
  }
  config.settled("model_client_streaming");
  return compact({
    model: models.keyOf(config.component("model_client")),
    prompt: config.text("selector_prompt") || undefined,
    allowRepeats: config.flag("allow_repeated_speaker"),
    maxAttempts: config.number("max_selector_attempts"),
  });
}
