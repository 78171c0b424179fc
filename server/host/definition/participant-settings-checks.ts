import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { type DefinitionScope, modelSettings } from "./definition-scope.ts";
import { checkJsonSchema } from "./json-schema-checks.ts";
import { suggestion } from "./nearest.ts";
import type { Path } from "./path.ts";
import { asList, asRecord, asText } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

/** The placeholders of a tool-call summary (AutoGen's `tool_call_summary_format`). */
const SUMMARY_PLACEHOLDERS = ["tool_name", "arguments", "result", "is_error"];

/** Checks one participant's settings against each other. Paths are relative to the participant. */
export function checkParticipantSettings(participant: JsonRecord, scope: DefinitionScope): ValidationProblem[] {
  return [
    ...checkContext(participant, scope),
    ...checkSummaryFormat(participant["toolCallSummaryFormat"]),
    ...checkJsonSchema(asRecord(participant["output"])["schema"], ["output", "schema"]),
    ...asList(participant["tools"]).flatMap((tool, at) =>
      isRecord(tool) && tool["on"] === undefined
        ? checkJsonSchema(tool["inputSchema"], ["tools", at, "inputSchema"])
        : [],
    ),
  ];
}

/** The sizes of each kind of context. */
export const CONTEXT_SIZES: Readonly<Record<string, readonly string[]>> = {
  unbounded: [],
  buffered: ["size"],
  headAndTail: ["head", "tail"],
  tokenLimited: ["size"],
  summarized: ["size"],
};

function checkContext(participant: JsonRecord, scope: DefinitionScope): ValidationProblem[] {
  const context = asRecord(participant["context"]);
  const kind = asText(context["kind"]);
  const sizes = kind !== undefined && Object.hasOwn(CONTEXT_SIZES, kind) ? CONTEXT_SIZES[kind] : undefined;
  if (kind === undefined || sizes === undefined) return [];
  const path: Path = ["context"];
  const wrong = ["size", "head", "tail"].filter((key) => context[key] !== undefined && !sizes.includes(key));
  return [
    ...wrong.map((key) => ({
      path: [...path, key],
      on: "key" as const,
      message: `has no effect for a context of kind ${kind}; ${sizes.length === 0 ? "remove it" : `use ${sizes.join(" and ")}`}`,
    })),
    ...(kind === "headAndTail" && context["head"] === undefined && context["tail"] === undefined
      ? [{ path, message: "a headAndTail context needs `head`, `tail` or both" }]
      : []),
    ...(kind === "summarized" && participant["kind"] === "societyOfMind"
      ? [
          {
            path: [...path, "kind"],
            message: "is for agents; use buffered, headAndTail or tokenLimited for a societyOfMind",
          },
        ]
      : []),
    ...(kind === "tokenLimited" || kind === "summarized" ? tooLarge(context["size"], participant, scope) : []),
  ];
}

/** A limit above what the model accepts. */
function tooLarge(size: unknown, participant: JsonRecord, scope: DefinitionScope): ValidationProblem[] {
  const window = modelSettings(participant["model"], scope)["contextWindow"];
  if (typeof size !== "number" || typeof window !== "number" || size <= window) return [];
  const message = `should be no more than ${window}, the contextWindow of its model`;
  return [{ path: ["context", "size"], message }];
}

function checkSummaryFormat(format: unknown): ValidationProblem[] {
  return [...(asText(format) ?? "").matchAll(/\{([A-Za-z_]\w*)\}/g)].flatMap(([, name = ""]): ValidationProblem[] =>
    SUMMARY_PLACEHOLDERS.includes(name)
      ? []
      : [
          {
            path: ["toolCallSummaryFormat"],
            message: `{${name}} is not a placeholder; ${suggestion(name, SUMMARY_PLACEHOLDERS, "placeholders")}`,
          },
        ],
  );
}
