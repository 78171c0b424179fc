import type { Condition, ConditionKind, ConditionSettings } from "../../../shared/contract/condition.ts";
import { textOf } from "../../../shared/message-text.ts";
import { addUsage, NO_USAGE } from "../../../shared/team-state.ts";
import { AllCondition, AnyCondition } from "./combined.ts";
import { isMessage, StepCondition, type TerminationCondition } from "./condition.ts";
import { ExternalCondition } from "./external.ts";
import { TimeoutCondition } from "./timeout.ts";

type Builders = { readonly [K in ConditionKind]: (settings: ConditionSettings[K]) => TerminationCondition };

/** The termination condition that a definition describes. */
export function createCondition(definition: Condition): TerminationCondition {
  const [kind] = Object.keys(definition) as ConditionKind[];
  if (kind === undefined) throw new Error("A condition has exactly one key; this one has none.");
  return build(kind, definition);
}

function build<K extends ConditionKind>(kind: K, definition: Condition): TerminationCondition {
  const settings = definition[kind];
  if (settings === undefined) throw new Error(`The condition ${kind} has no settings.`);
  return builders[kind](settings as ConditionSettings[K]);
}

/** Fires at the first input for which `reason` gives a text. */
const atFirst = (reason: (input: Parameters<TerminationCondition["check"]>[0][number]) => string | null) =>
  new StepCondition(
    () => null,
    (_, input) => {
      const stop = reason(input);
      return stop === null ? null : { stop };
    },
  );

const builders: Builders = {
  maxMessages: (max) =>
    new StepCondition(
      () => 0,
      (count, input) => {
        const next = isMessage(input) ? count + 1 : count;
        return next < max
          ? next
          : { stop: `Maximum number of messages ${max} reached, current message count: ${next}` };
      },
    ),

  textMention: ({ text, sources }) =>
    atFirst((input) =>
      isMessage(input) && (sources === undefined || sources.includes(input.source)) && textOf(input).includes(text)
        ? `Text '${text}' mentioned`
        : null,
    ),

  stopMessage: () => atFirst((input) => (input.type === "StopMessage" ? "Stop message received" : null)),

  tokenUsage: ({ total, prompt, completion }) =>
    new StepCondition(
      () => NO_USAGE,
      (sum, input) => {
        const next = input.type === "ToolExecution" ? sum : addUsage(sum, input.usage);
        const over =
          next.total >= (total ?? Number.POSITIVE_INFINITY) ||
          next.prompt >= (prompt ?? Number.POSITIVE_INFINITY) ||
          next.completion >= (completion ?? Number.POSITIVE_INFINITY);
        return over
          ? {
              stop: `Token usage limit reached, total: ${next.total}, prompt: ${next.prompt}, completion: ${next.completion}`,
            }
          : next;
      },
    ),

  handoff: ({ target }) =>
    atFirst((input) =>
      input.type === "HandoffMessage" && input.metadata?.["target"] === target
        ? `Handoff to ${target} from ${input.source} detected.`
        : null,
    ),

  timeout: ({ seconds }) => new TimeoutCondition(seconds),
  external: () => new ExternalCondition(),

  sourceMatch: ({ sources }) =>
    atFirst((input) => (isMessage(input) && sources.includes(input.source) ? `'${input.source}' answered` : null)),

  textMessage: ({ source }) =>
    atFirst((input) =>
      input.type === "TextMessage" && (source === undefined || input.source === source)
        ? `Text message received from '${input.source}'`
        : null,
    ),

  functionCall: ({ name }) =>
    atFirst((input) =>
      input.type === "ToolExecution" && input.name === name ? `Function '${name}' was executed.` : null,
    ),

  any: (conditions) => new AnyCondition(conditions.map(createCondition)),
  all: (conditions) => new AllCondition(conditions.map(createCondition)),
};
