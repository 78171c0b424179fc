import { isRecord } from "../../../shared/json-record.ts";

/**
 * The keywords that OpenAI's strict mode supports ("Structured model outputs", Supported schemas). A strict request with any
 * other keyword, an optional property or an open object is refused.
 */
const KEYWORDS = new Set(
  [
    [
      "$defs",
      "$ref",
      "$schema",
      "additionalProperties",
      "anyOf",
      "const",
      "description",
      "enum",
      "items",
      "properties",
    ],
    ["required", "title", "type", "format", "pattern"],
    ["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf", "maxItems", "minItems"],
  ].flat(),
);

/** Whether strict mode supports a schema. */
export function isStrict(schema: Readonly<Record<string, unknown>>): boolean {
  return schema["type"] === "object" && schema["anyOf"] === undefined && isStrictPart(schema);
}

function isStrictPart(schema: unknown): boolean {
  if (!isRecord(schema) || !Object.keys(schema).every((keyword) => KEYWORDS.has(keyword))) return false;
  const { type, properties, $defs, items, anyOf } = schema;
  const isObject = type === "object" || (Array.isArray(type) && type.includes("object")) || properties !== undefined;
  if (isObject && !isClosed(schema)) return false;
  const parts = [
    ...(isRecord(properties) ? Object.values(properties) : []),
    ...(isRecord($defs) ? Object.values($defs) : []),
    ...(items === undefined ? [] : [items]),
    ...(Array.isArray(anyOf) ? anyOf : []),
  ];
  return parts.every(isStrictPart);
}

/** Whether an object allows only the named properties and requires all of them. */
function isClosed({ properties, required, additionalProperties }: Readonly<Record<string, unknown>>): boolean {
  const names = isRecord(properties) ? Object.keys(properties) : [];
  const requiredNames = Array.isArray(required) ? required : [];
  return additionalProperties === false && names.every((name) => requiredNames.includes(name));
}
