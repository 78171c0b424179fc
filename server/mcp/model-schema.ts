import { isRecord, type JsonRecord } from "../../shared/json-record.ts";

/** What models take as the name of a property. */
const PROPERTY_NAME = /^[\w.-]{1,64}$/;

/** Keywords that models do not take at the top of a schema. */
const COMBINING = ["anyOf", "oneOf", "allOf"] as const;
const NOT_AT_TOP = new Set<string>([...COMBINING, "enum", "const", "not", "if", "then", "else"]);

/**
 * The schema of a tool's input as models take it: an object with properties. Alternatives at its top become properties, of
 * which those are required that all alternatives require; the server still checks what it gets. Undefined where no model
 * takes it.
 */
export function modelSchema(schema: JsonRecord): JsonRecord | undefined {
  if (schema["type"] !== undefined && schema["type"] !== "object") return undefined;
  const flat = COMBINING.some((keyword) => Object.hasOwn(schema, keyword)) ? flattened(schema) : schema;
  const { properties } = flat;
  if (isRecord(properties) && !Object.keys(properties).every((name) => PROPERTY_NAME.test(name))) return undefined;
  const kept = Object.entries(flat).filter(([keyword]) => !NOT_AT_TOP.has(keyword));
  return { ...Object.fromEntries(kept), type: "object", ...(isRecord(properties) ? {} : { properties: {} }) };
}

function flattened(schema: JsonRecord): JsonRecord {
  const all = branches(schema["allOf"]);
  const either = [...branches(schema["anyOf"]), ...branches(schema["oneOf"])];
  const properties = Object.fromEntries([...either, ...all, schema].flatMap((part) => entriesOf(part["properties"])));
  const required = new Set([schema, ...all].flatMap((part) => namesIn(part["required"])));
  const [first, ...others] = either;
  for (const name of first === undefined ? [] : namesIn(first["required"])) {
    if (others.every((part) => namesIn(part["required"]).includes(name))) required.add(name);
  }
  return { ...schema, properties, ...(required.size === 0 ? {} : { required: [...required] }) };
}

const branches = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const entriesOf = (value: unknown): [string, unknown][] => (isRecord(value) ? Object.entries(value) : []);
const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
