import { isRecord, type JsonRecord } from "../../../shared/json-record.ts";
import { type Path, valueAt } from "../definition/path.ts";
import { asList, asRecord, asText } from "../definition/unchecked-json.ts";

/** What the JSON Schema says about one place of a team file: one of the schemas that its value may conform to. */
export interface Place {
  /** A schema without references and unions. */
  readonly schema: JsonRecord;
  /** What the key of this place means. */
  readonly description: string | undefined;
}

/**
 * The places that `path` leads to in a file with this content; several where the schema has a union that the content does
 * not decide. None where the schema knows no such place.
 */
export function placesAt(root: JsonRecord, content: unknown, path: Path): readonly Place[] {
  let places = resolved(root, { schema: root, description: undefined }, content);
  for (const [depth, step] of path.entries()) {
    const value = valueAt(content, path.slice(0, depth + 1));
    places = places.flatMap((place) => below(place, step)).flatMap((place) => resolved(root, place, value));
  }
  return places;
}

/** The keys of the maps that these places allow, the first of equal ones; required keys first. */
export function keysOf(places: readonly Place[]): readonly (Place & { readonly key: string })[] {
  const keys = new Map<string, Place & { readonly key: string; readonly isRequired: boolean }>();
  for (const { schema } of places) {
    const required = asList(schema["required"]);
    for (const [key, property] of Object.entries(asRecord(schema["properties"]))) {
      if (keys.has(key)) continue;
      const description = asText(asRecord(property)["description"]);
      keys.set(key, { key, schema: asRecord(property), description, isRequired: required.includes(key) });
    }
  }
  return [...keys.values()].sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

/** The JSON types that a schema allows, such as `object`; none where it allows any. */
export const typesOf = (root: JsonRecord, schema: JsonRecord): readonly unknown[] =>
  resolved(root, { schema, description: undefined }, undefined).map((place) => place.schema["type"]);

/** The values that these places list: constants, choices, `true` and `false`. */
export function choicesOf(places: readonly Place[]): readonly (string | number | boolean)[] {
  const choices = places.flatMap(({ schema }): readonly unknown[] => {
    if ("const" in schema) return [schema["const"]];
    if (schema["type"] === "boolean") return [true, false];
    return asList(schema["enum"]);
  });
  return [...new Set(choices)].filter(
    (choice) => typeof choice === "string" || typeof choice === "number" || typeof choice === "boolean",
  );
}

function below({ schema }: Place, step: PropertyKey): Place[] {
  const properties = asRecord(schema["properties"]);
  const next =
    typeof step === "number"
      ? schema["items"]
      : Object.hasOwn(properties, step)
        ? properties[String(step)]
        : schema["additionalProperties"];
  return isRecord(next) ? [{ schema: next, description: asText(next["description"]) }] : [];
}

/** Follows references and takes the branches of unions that `value` can belong to. */
function resolved(root: JsonRecord, { schema, description }: Place, value: unknown): Place[] {
  const branches = [
    // Rules such as "with kind: graph, there is a graph" say nothing about what a key means.
    ...asList(schema["allOf"]).filter((branch) => !("then" in asRecord(branch))),
    ...[...asList(schema["anyOf"]), ...asList(schema["oneOf"])].filter((branch) =>
      mayBe(target(root, asRecord(branch)), value),
    ),
    ...(isRecord(schema["else"]) ? [schema["else"]] : []),
  ];
  const next = target(root, schema);
  if (next !== schema) branches.push(next);
  const isPlace = branches.length === 0 || "properties" in schema;
  return [
    // The description of a key says more here than that of the type it refers to.
    ...(isPlace ? [{ schema, description: description ?? asText(schema["description"]) }] : []),
    ...branches.flatMap((branch) => resolved(root, { schema: asRecord(branch), description }, value)),
  ];
}

const DEFINITION = "#/definitions/";

/** The schema that a reference names; any other schema itself. */
function target(root: JsonRecord, schema: JsonRecord): JsonRecord {
  const name = asText(schema["$ref"]);
  if (name === undefined || !name.startsWith(DEFINITION)) return schema;
  return asRecord(asRecord(root["definitions"])[name.slice(DEFINITION.length)]);
}

/** Whether a branch of a union is possible: a map with other constants is not, and neither is a value of another type. */
function mayBe(branch: JsonRecord, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  const { type } = branch;
  if (isRecord(value)) {
    return (
      (type === undefined || type === "object") &&
      Object.entries(asRecord(branch["properties"])).every(
        ([key, property]) =>
          constant(property) === undefined || (value[key] ?? constant(property)) === constant(property),
      )
    );
  }
  return type !== (typeof value === "string" ? "object" : undefined);
}

const constant = (property: unknown): unknown => asRecord(property)["const"];
