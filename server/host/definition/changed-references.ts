import type { Condition } from "../../../shared/contract/condition.ts";
import type {
  Capability,
  ModelDefinition,
  ParticipantDefinition,
  SelectorRule,
  TeamDefinition,
} from "../../../shared/contract/definition.ts";

type Names = string | readonly string[];

/**
 * A team without what else names a participant that has left it: handoffs to it, rules that select it, lines that it plays,
 * and what others may do to it. Edges, and conditions on what it says, are left for who changes the team to decide.
 */
export function withoutName(team: TeamDefinition, name: string): TeamDefinition {
  const { selector, monitors, models } = team;
  return {
    ...team,
    participants: team.participants.map((participant) => ({
      ...participant,
      ...(participant.handoffs === undefined
        ? {}
        : { handoffs: participant.handoffs.filter((handoff) => targetOf(handoff) !== name) }),
      ...(participant.capabilities === undefined
        ? {}
        : { capabilities: participant.capabilities.flatMap((one) => capabilityWithout(one, name)) }),
    })),
    ...(monitors === undefined
      ? {}
      : {
          monitors: monitors
            .map((monitor) => ({
              ...monitor,
              capabilities: monitor.capabilities.flatMap((one) => capabilityWithout(one, name)),
            }))
            .filter(({ capabilities }) => capabilities.length > 0),
        }),
    ...(selector?.rules === undefined
      ? {}
      : { selector: { ...selector, rules: selector.rules.flatMap((rule) => ruleWithout(rule, name)) } }),
    ...(models === undefined
      ? {}
      : { models: withScripts(models, (speaker) => (speaker === name ? undefined : speaker)) }),
  };
}

/** A team in which everything that names a participant names another one. */
export function withNewName(team: TeamDefinition, before: string, now: string): TeamDefinition {
  const { graph, selector, termination, interrupts, monitors, models } = team;
  const renamed = (name: string): string => (name === before ? now : name);
  const all = (names: Names): string | string[] => (typeof names === "string" ? renamed(names) : names.map(renamed));
  const capability = ({ to, ...one }: Capability): Capability => ({
    ...one,
    ...(to === undefined ? {} : { to: all(to) }),
  });
  return {
    ...team,
    participants: team.participants.map(
      (participant): ParticipantDefinition => ({
        ...participant,
        ...(participant.handoffs === undefined
          ? {}
          : {
              handoffs: participant.handoffs.map((handoff) =>
                typeof handoff === "string" ? renamed(handoff) : { ...handoff, target: renamed(handoff.target) },
              ),
            }),
        ...(participant.capabilities === undefined ? {} : { capabilities: participant.capabilities.map(capability) }),
      }),
    ),
    ...(graph === undefined
      ? {}
      : {
          graph: {
            ...graph,
            edges: graph.edges.map((edge) => ({ ...edge, from: renamed(edge.from), to: renamed(edge.to) })),
            ...(graph.entry === undefined ? {} : { entry: all(graph.entry) }),
          },
        }),
    ...(selector?.rules === undefined
      ? {}
      : {
          selector: {
            ...selector,
            rules: selector.rules.map((rule) => ({
              ...rule,
              ...(rule.after === undefined ? {} : { after: all(rule.after) }),
              choose: all(rule.choose),
            })),
          },
        }),
    ...(termination === undefined ? {} : { termination: conditionWith(termination, renamed) }),
    ...(interrupts === undefined
      ? {}
      : {
          interrupts: interrupts.map(({ when, ...rule }) => ({
            ...rule,
            when: {
              ...when,
              ...(when.participant === undefined ? {} : { participant: all(when.participant) }),
              ...(when.message?.sources === undefined
                ? {}
                : { message: { ...when.message, sources: when.message.sources.map(renamed) } }),
            },
          })),
        }),
    ...(monitors === undefined
      ? {}
      : { monitors: monitors.map((one) => ({ ...one, capabilities: one.capabilities.map(capability) })) }),
    ...(models === undefined ? {} : { models: withScripts(models, renamed) }),
  };
}

const targetOf = (handoff: NonNullable<ParticipantDefinition["handoffs"]>[number]): string =>
  typeof handoff === "string" ? handoff : handoff.target;

/** The names without one; undefined if none is left. */
function namesWithout(names: Names, name: string): string | string[] | undefined {
  if (typeof names === "string") return names === name ? undefined : names;
  const others = names.filter((one) => one !== name);
  return others.length === 0 && names.length > 0 ? undefined : others;
}

function capabilityWithout({ to, ...capability }: Capability, name: string): Capability[] {
  if (to === undefined) return [capability];
  const others = namesWithout(to, name);
  return others === undefined ? [] : [{ ...capability, to: others }];
}

function ruleWithout({ after, choose, ...rule }: SelectorRule, name: string): SelectorRule[] {
  const chosen = namesWithout(choose, name);
  const before = after === undefined ? undefined : namesWithout(after, name);
  if (chosen === undefined || (after !== undefined && before === undefined)) return [];
  return [{ ...rule, choose: chosen, ...(before === undefined ? {} : { after: before }) }];
}

function conditionWith(condition: Condition, renamed: (name: string) => string): Condition {
  const { any, all, textMention, sourceMatch, textMessage, handoff } = condition;
  if (any !== undefined) return { any: any.map((one) => conditionWith(one, renamed)) };
  if (all !== undefined) return { all: all.map((one) => conditionWith(one, renamed)) };
  if (textMention?.sources !== undefined)
    return { textMention: { ...textMention, sources: textMention.sources.map(renamed) } };
  if (sourceMatch !== undefined) return { sourceMatch: { sources: sourceMatch.sources.map(renamed) } };
  if (textMessage?.source !== undefined) return { textMessage: { source: renamed(textMessage.source) } };
  if (handoff !== undefined) return { handoff: { target: renamed(handoff.target) } };
  return condition;
}

/** Models whose practice lines are those of other names; a name that is undefined has none any more. */
function withScripts(
  models: Readonly<Record<string, ModelDefinition>>,
  nameNow: (name: string) => string | undefined,
): Record<string, ModelDefinition> {
  const script = <T>(lines: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(
      Object.entries(lines).flatMap(([name, own]) => {
        const now = nameNow(name);
        return now === undefined ? [] : [[now, own]];
      }),
    );
  return Object.fromEntries(
    Object.entries(models).map(([key, model]) => [
      key,
      model.provider !== "practice"
        ? model
        : {
            ...model,
            ...(model.lines === undefined ? {} : { lines: script(model.lines) }),
            ...(model.asked === undefined ? {} : { asked: script(model.asked) }),
          },
    ]),
  );
}
