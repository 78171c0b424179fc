import type { Condition } from "../../../shared/contract/condition.ts";
import {
  type AutoGenComponent,
  type ComponentConfig,
  type ImportReport,
  withoutUndefined,
} from "./autogen-component.ts";

/** Imports AutoGen's conditions from their configs; undefined for a malformed config, which is reported. */
const IMPORTERS: Readonly<Record<string, (config: ComponentConfig) => Condition | undefined>> = {
  MaxMessageTermination: (config) => ifThere(config.requiredNumber("max_messages"), (maxMessages) => ({ maxMessages })),
  TextMentionTermination: (config) =>
    ifThere(config.requiredText("text"), (text) => ({
      textMention: withoutUndefined({ text, sources: names(config, "sources") }),
    })),
  StopMessageTermination: () => ({ stopMessage: true }),
  TokenUsageTermination: (config) => ({
    tokenUsage: withoutUndefined({
      total: config.number("max_total_token"),
      prompt: config.number("max_prompt_token"),
      completion: config.number("max_completion_token"),
    }),
  }),
  HandoffTermination: (config) => ifThere(config.requiredText("target"), (target) => ({ handoff: { target } })),
  TimeoutTermination: (config) =>
    ifThere(config.requiredNumber("timeout_seconds"), (seconds) => ({ timeout: { seconds } })),
  ExternalTermination: () => ({ external: true }),
  SourceMatchTermination: (config) => ({ sourceMatch: { sources: names(config, "sources") ?? [] } }),
  TextMessageTermination: (config) => ({ textMessage: withoutUndefined({ source: config.text("source") }) }),
  FunctionCallTermination: (config) =>
    ifThere(config.requiredText("function_name"), (name) => ({ functionCall: { name } })),
};

/** Imports a termination condition; undefined when there is no counterpart, which is reported. */
export function importCondition(condition: AutoGenComponent | undefined, report: ImportReport): Condition | undefined {
  if (condition === undefined) return undefined;
  const { className, config, path } = condition;
  if (className === "OrTerminationCondition" || className === "AndTerminationCondition") {
    const inner = config.components("conditions").flatMap((each) => importCondition(each, report) ?? []);
    config.omitUnused();
    if (inner.length <= 1) return inner[0];
    return className === "OrTerminationCondition" ? { any: inner } : { all: inner };
  }
  const read = Object.hasOwn(IMPORTERS, className) ? IMPORTERS[className] : undefined;
  if (read === undefined) {
    const why =
      className === "FunctionalTermination" ? "it is Python code" : `there is no counterpart for ${className}`;
    report.omit(path, `${why}; a combined condition uses only its other parts`);
    return undefined;
  }
  const result = read(config);
  if (config.boolean("include_agent_event")) {
    report.omit(config.pathOf("include_agent_event"), "events are not counted as messages here");
  }
  config.omitUnused();
  return result;
}

const ifThere = <T>(value: T | undefined, make: (value: T) => Condition): Condition | undefined =>
  value === undefined ? undefined : make(value);

function names(config: ComponentConfig, key: string): string[] | undefined {
  const listed = config.list(key).flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  return listed.length === 0 ? undefined : listed;
}
