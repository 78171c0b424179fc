import { outputText } from "../../../shared/tool-output.ts";
import type { Reply } from "../context/reply.ts";
import type { ToolStep } from "../context/tool-step.ts";

/** AutoGen's default format. */
const RESULT_ALONE = "{result}";

/**
 * The results of a step as a message (AutoGen's ToolCallSummaryMessage): one line per call in the given format. {tool_name},
 * {arguments}, {result} and {is_error} are replaced by the call's values; {{ and }} are braces.
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
