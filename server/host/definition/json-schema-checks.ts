import { isRecord } from "../../../shared/json-record.ts";
import { patternProblem } from "../../engine/pattern/pattern.ts";
import { suggestion } from "./nearest.ts";
import type { Path } from "./path.ts";
import { asList } from "./unchecked-json.ts";
import type { ValidationProblem } from "./validation-problem.ts";

const TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** Keywords whose value is one schema, a list of schemas, or a map of names to schemas, in draft-07 and 2020-12. */
const ONE = [
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
];
const LIST = ["allOf", "anyOf", "oneOf", "prefixItems"];
const MAP = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/** Checks that a value is a JSON Schema: its types, and the values of its keywords. */
export function checkJsonSchema(schema: unknown, path: Path): ValidationProblem[] {
  if (schema === undefined || typeof schema === "boolean") return [];
  if (!isRecord(schema)) return [{ path, message: "should be a JSON Schema: a map of keys" }];
  return Object.entries(schema).flatMap(([keyword, value]) => checkKeyword(keyword, value, [...path, keyword]));
}

function checkKeyword(keyword: string, value: unknown, path: Path): ValidationProblem[] {
  if (ONE.includes(keyword)) return checkJsonSchema(value, path);
  if (LIST.includes(keyword) || (keyword === "items" && Array.isArray(value))) return checkSchemaList(value, path);
  if (MAP.includes(keyword)) return checkSchemaMap(value, path);
  switch (keyword) {
    case "items":
      return checkJsonSchema(value, path);
    case "type":
      return checkType(value, path);
    case "required":
      return isListOfTexts(value) ? [] : [{ path, message: "should be a list of the names of properties" }];
    case "enum":
      return Array.isArray(value) ? [] : [{ path, message: "should be a list of values" }];
    case "pattern":
      return checkPattern(value, path);
    default:
      return [];
  }
}

function checkSchemaList(value: unknown, path: Path): ValidationProblem[] {
  if (!Array.isArray(value) || value.length === 0) return [{ path, message: "should be a list of JSON Schemas" }];
  return value.flatMap((schema: unknown, at) => checkJsonSchema(schema, [...path, at]));
}

function checkSchemaMap(value: unknown, path: Path): ValidationProblem[] {
  if (!isRecord(value)) return [{ path, message: "should be a map of names to JSON Schemas" }];
  return Object.entries(value).flatMap(([name, schema]) => [
    ...(path.at(-1) === "patternProperties" ? checkPattern(name, [...path, name]) : []),
    ...checkJsonSchema(schema, [...path, name]),
  ]);
}

function checkPattern(value: unknown, path: Path): ValidationProblem[] {
  const message = typeof value === "string" ? patternProblem(value) : "should be a regular expression";
  return message === undefined ? [] : [{ path, message }];
}

function checkType(value: unknown, path: Path): ValidationProblem[] {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value];
  return types.flatMap((type, at): ValidationProblem[] => {
    if (typeof type === "string" && TYPES.includes(type)) return [];
    const here = Array.isArray(value) ? [...path, at] : path;
    return typeof type === "string"
      ? [{ path: here, message: `"${type}" is not a JSON Schema type; ${suggestion(type, TYPES, "types")}` }]
      : [{ path: here, message: `should be a type: ${TYPES.join(", ")}` }];
  });
}

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && asList(value).every((item) => typeof item === "string");
