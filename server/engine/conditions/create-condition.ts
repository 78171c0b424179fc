import type { Condition, ConditionKind, ConditionSettings } from "../../../shared/contract/condition.ts";
import { textOf } from "../../../shared/contract/message-text.ts";
import { addUsage, NO_USAGE } from "../../../shared/state/team-state.ts";
import { countOf } from "../count-of.ts";
import { TextSearch } from "../pattern/text-search.ts";
import { BudgetCondition } from "./budget-condition.ts";
import { AllCondition, AnyCondition } from "./combined-conditions.ts";
import { eitherOf, joinTexts } from "./condition-text.ts";
import { ExternalCondition } from "./external-condition.ts";
import {
  type ConditionInput,
  inputUsage,
  isMessage,
  StepCondition,
  type TerminationCondition,
} from "./termination-condition.ts";
import { TimeoutCondition } from "./timeout-condition.ts";

type Builders = { readonly [K in ConditionKind]: (settings: ConditionSettings[K]) => TerminationCondition };

/** Creates the termination condition for a definition. */
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

/** Fires at the first input for which `reason` returns a text; `text` describes when that is. */
const onFirst = (kind: ConditionKind, text: string, reason: (input: ConditionInput) => string | null) =>
  new StepCondition(
    { kind, text, progress: () => "not yet" },
    () => null,
    (_, input) => {
      const stop = reason(input);
      return stop === null ? null : { stop };
    },
  );

const builders: Builders = {
  maxMessages: (max) =>
    new StepCondition(
      {
        kind: "maxMessages",
        text: `Ends the run after ${countOf(max, "message")}.`,
        progress: (count) => `${count} of ${countOf(max, "message")}`,
      },
      () => 0,
      (count, input) => {
        const next = isMessage(input) ? count + 1 : count;
        return next < max
          ? next
          : { stop: `Maximum number of messages ${max} reached, current message count: ${next}` };
      },
    ),

  textMention: ({ text, sources }) => {
    const search = new TextSearch(text);
    return onFirst("textMention", `Ends the run when ${eitherOf(sources)} says '${text}'.`, (input) =>
      isMessage(input) && (sources === undefined || sources.includes(input.source)) && search.isIn(textOf(input))
        ? `Text '${text}' mentioned`
        : null,
    );
  },

  stopMessage: () =>
    onFirst("stopMessage", "Ends the run at a stop message.", (input) =>
      input.type === "StopMessage" ? "Stop message received" : null,
    ),

  tokenUsage: ({ total, prompt, completion }) =>
    new StepCondition(
      {
        kind: "tokenUsage",
        text: "Ends the run when its tokens are used up.",
        progress: (sum) =>
          joinTexts([
            total === undefined ? "" : `${sum.total} of ${countOf(total, "token")}`,
            prompt === undefined ? "" : `${sum.prompt} of ${countOf(prompt, "prompt token")}`,
            completion === undefined ? "" : `${sum.completion} of ${countOf(completion, "completion token")}`,
          ]),
      },
      () => NO_USAGE,
      (sum, input) => {
        const next = addUsage(sum, inputUsage(input));
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
    onFirst("handoff", `Ends the run at a handoff to ${target}.`, (input) =>
      input.type === "HandoffMessage" && input.metadata?.["target"] === target
        ? `Handoff to ${target} from ${input.source} detected.`
        : null,
    ),

  timeout: ({ seconds }) => new TimeoutCondition(seconds),
  external: () => new ExternalCondition(),

  sourceMatch: ({ sources }) =>
    onFirst("sourceMatch", `Ends the run when ${eitherOf(sources)} has spoken.`, (input) =>
      isMessage(input) && sources.includes(input.source) ? `'${input.source}' answered` : null,
    ),

  textMessage: ({ source }) =>
    onFirst("textMessage", `Ends the run at a text message of ${source ?? "anyone"}.`, (input) =>
      input.type === "TextMessage" && (source === undefined || input.source === source)
        ? `Text message received from '${input.source}'`
        : null,
    ),

  functionCall: ({ name }) =>
    onFirst("functionCall", `Ends the run when the tool ${name} has run.`, (input) =>
      input.type === "ToolExecution" && input.name === name ? `Function '${name}' was executed.` : null,
    ),

  budget: (limits) => new BudgetCondition(limits),

  any: (conditions) => new AnyCondition(conditions.map(createCondition)),
  all: (conditions) => new AllCondition(conditions.map(createCondition)),
};
