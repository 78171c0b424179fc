import type { Descriptions } from "./descriptions.ts";
import { type JsonSchema, mapped } from "./json-schema.ts";

/**
 * Adds a description to each key of the definitions.
 * @throws Error that lists every key without a description, and every description without a key.
 */
export function describeAll(
  definitions: Readonly<Record<string, JsonSchema>>,
  descriptions: Descriptions,
): Record<string, JsonSchema> {
  const missing: string[] = [];
  const unused = new Set(
    Object.entries(descriptions).flatMap(([name, texts]) => Object.keys(texts).map((key) => `${name}.${key}`)),
  );
  const described = mapped(definitions, (definition, name) => {
    const whole = descriptions[name]?.[""];
    unused.delete(`${name}.`);
    const textAt = (keys: string): string => {
      const text = descriptions[name]?.[keys];
      if (text === undefined) missing.push(`${name}.${keys}`);
      unused.delete(`${name}.${keys}`);
      return text ?? "";
    };
    const result = describeKeys(definition, "", textAt);
    return whole === undefined ? result : { description: whole, ...result };
  });
  const problems = [
    ...missing.map((key) => `${key} has no description; add one to scripts/schema/descriptions.ts.`),
    ...[...unused].map((key) => `There is no ${key}; remove it from scripts/schema/descriptions.ts.`),
  ];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return described;
}

/** Descends into nested maps and lists, but not into other definitions. */
function describeKeys(schema: JsonSchema, above: string, textAt: (keys: string) => string): JsonSchema {
  const { properties, items, anyOf, ...rest } = schema;
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: mapped(properties, (property, key) => {
            if (typeof property === "boolean") return property;
            const keys = above === "" ? key : `${above}.${key}`;
            return { description: textAt(keys), ...describeKeys(besideReference(property), keys, textAt) };
          }),
        }),
    ...(items === undefined ? {} : { items: describeKeys(items, above, textAt) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((branch) => describeKeys(branch, above, textAt)) }),
  };
}

/** In draft-07, keywords beside a `$ref` are ignored, including a description. */
const besideReference = (schema: JsonSchema): JsonSchema => ("$ref" in schema ? { allOf: [schema] } : schema);
