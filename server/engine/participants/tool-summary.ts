import { outputText } from "../context/handoff-message.ts";
import type { Reply } from "../context/reply.ts";
import type { ToolStep } from "../context/tool-step.ts";

/** AutoGen's format where the definition gives none. */
const RESULT_ALONE = "{result}";

/**
 * The results of a step as its participant's message (AutoGen's ToolCallSummaryMessage): `format` for each call, a line to
 * each. {tool_name}, {arguments}, {result} and {is_error} stand for the call's own, {{ and }} for braces.
 */
export function toolSummary({ calls }: ToolStep, format = RESULT_ALONE): Reply {
  return { type: "ToolCallSummaryMessage", content: calls.map((call) => formatted(call, format)).join("\n") };
}

function formatted({ name, input, output, isError }: ToolStep["calls"][number], format: string): string {
  const fields: Readonly<Record<string, string>> = {
    "{tool_name}": name,
    "{arguments}": outputText(input),
    "{result}": outputText(output),
    "{is_error}": String(isError),
    "{{": "{",
    "}}": "}",
  };
  return format.replace(/\{\{|\}\}|\{(?:tool_name|arguments|result|is_error)\}/g, (field) => fields[field] ?? field);
}
