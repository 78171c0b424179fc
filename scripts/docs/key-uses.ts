import { isRecord } from "../../shared/json-record.ts";
import type { JsonSchema } from "../schema/json-schema.ts";

/** One use of a key in a value that a JSON Schema describes. */
export interface KeyUse {
  /** The definition that the key belongs to. */
  readonly definition: string;
  /** The keys that lead to it from the definition, with dots between them; list items and map entries add none. */
  readonly keys: string;
  readonly key: string;
  readonly value: unknown;
}

type Definitions = Readonly<Record<string, JsonSchema>>;

/** Every use of a described key in a value of the named definition. */
export function keyUses(value: unknown, definition: string, definitions: Definitions): KeyUse[] {
  return usesIn(value, definitions[definition] ?? {}, { definition, above: "" }, definitions);
}

interface Place {
  readonly definition: string;
  readonly above: string;
}

function usesIn(value: unknown, schema: JsonSchema, place: Place, definitions: Definitions): KeyUse[] {
  const reference = schema["$ref"];
  if (typeof reference === "string") return keyUses(value, reference.split("/").at(-1) ?? "", definitions);
  const parts = [
    ...(schema.allOf ?? []).filter((part) => "$ref" in part),
    ...[...(schema.anyOf ?? []), ...schemas(schema["oneOf"])].filter((part) => fits(value, part, definitions)),
  ].flatMap((part) => usesIn(value, part, place, definitions));
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? parts
      : [...parts, ...value.flatMap((each) => usesIn(each, items, place, definitions))];
  }
  if (!isRecord(value)) return parts;
  const own = Object.entries(value).flatMap(([key, inner]) => {
    const property = schema.properties?.[key];
    if (typeof property === "object") {
      const keys = place.above === "" ? key : `${place.above}.${key}`;
      const use: KeyUse = { definition: place.definition, keys, key, value: inner };
      return [use, ...usesIn(inner, property, { ...place, above: keys }, definitions)];
    }
    return schemas([schema["additionalProperties"]]).flatMap((each) => usesIn(inner, each, place, definitions));
  });
  return [...parts, ...own];
}

/** Whether a value may be meant by one branch of a choice: it has its type, its constants and no other keys. */
function fits(value: unknown, schema: JsonSchema, definitions: Definitions): boolean {
  const reference = schema["$ref"];
  if (typeof reference === "string")
    return fits(value, definitions[reference.split("/").at(-1) ?? ""] ?? {}, definitions);
  if (schema.anyOf !== undefined) return schema.anyOf.some((branch) => fits(value, branch, definitions));
  if (!isRecord(value)) return schema["type"] !== "object" && schema.properties === undefined;
  const { properties } = schema;
  if (properties === undefined) return schema["type"] === "object";
  return Object.entries(value).every(([key, inner]) => {
    const property = properties[key];
    return typeof property === "object" && (property["const"] === undefined || property["const"] === inner);
  });
}

const schemas = (value: unknown): JsonSchema[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
