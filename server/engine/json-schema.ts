import { type OutputUnit, type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import type { ToolDeclaration } from "../../shared/contract/definition.ts";
import { messageOf } from "../../shared/contract/errors.ts";

/** The draft of a schema without `$schema`. */
const DEFAULT_DRAFT: SchemaDraft = "2020-12";

/** How many problems are reported; the first ones are usually enough for a model to correct the rest. */
const MAX_PROBLEMS = 5;

/** Keywords whose error only says that there is another error below. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "$ref",
  "$recursiveRef",
  "additionalItems",
  "additionalProperties",
  "allOf",
  "dependencies",
  "dependentSchemas",
  "else",
  "items",
  "patternProperties",
  "prefixItems",
  "properties",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Says what is wrong with a value; undefined if it is valid. @throws Error if the schema itself is invalid. */
export type SchemaCheck = (value: unknown) => string | undefined;

/**
 * Validates values against a JSON Schema (drafts 4, 7, 2019-09 and 2020-12, by its `$schema`). Problems are reported by
 * path, such as `address.city: is missing`, separated by `;`.
 */
export function schemaCheck(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  let validator: Validator | undefined;
  return (value) => {
    try {
      // The validator modifies the schema that it is given.
      validator ??= new Validator(structuredClone(schema) as Schema, draftOf(schema["$schema"]), false);
      const { valid, errors } = validator.validate(value ?? null);
      return valid ? undefined : problemsIn(errors);
    } catch (error) {
      const [reason] = messageOf(error).split("\n");
      throw new Error(`The JSON Schema cannot be used: ${reason}`, { cause: error });
    }
  };
}

/** {@link Tool.prepare} of a declared tool: validates an input. The error names the tool. */
export function preparedBy({
  name,
  inputSchema,
}: Pick<ToolDeclaration, "name" | "inputSchema">): (input: unknown) => unknown {
  const check = schemaCheck(inputSchema);
  return (input) => {
    const problem = check(input);
    if (problem !== undefined) throw new Error(`The input of ${name} is not valid: ${problem}.`);
    return input;
  };
}

function draftOf(dialect: unknown): SchemaDraft {
  const named = typeof dialect === "string" ? /draft-0?(4|7)|(2019-09|2020-12)/.exec(dialect) : null;
  const draft = named?.[1] ?? named?.[2];
  return draft === "4" || draft === "7" || draft === "2019-09" || draft === "2020-12" ? draft : DEFAULT_DRAFT;
}

function problemsIn(errors: readonly OutputUnit[]): string {
  const precise = errors.filter(({ keyword }) => !WRAPPERS.has(keyword));
  const problems = [...new Set((precise.length > 0 ? precise : errors).map(problemText))];
  const more = problems.length - MAX_PROBLEMS;
  return [...problems.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function problemText({ keyword, error, instanceLocation }: OutputUnit): string {
  const place = pathOf(instanceLocation);
  if (keyword === "false") return `${place}: is not allowed`;
  const missing = keyword === "required" ? /"(.*)"/.exec(error)?.[1] : undefined;
  if (missing !== undefined) return `${place === ROOT ? missing : `${place}.${missing}`}: is missing`;
  return `${place}: ${plain(error)}`;
}

/** The validator's message as the rest of a sentence. */
function plain(error: string): string {
  const type = /^Instance type "(.*)" is invalid\. Expected "(.*)"\.$/.exec(error);
  if (type !== null) return `is of type ${type[1]} and has to be ${type[2]?.replaceAll('", "', " or ")}`;
  return error.replace(/^Instance /, "").replace(/\.$/, "");
}

const ROOT = "the value";

/** A JSON pointer such as `#/items/0/name` as `items.0.name`. */
function pathOf(pointer: string): string {
  const parts = pointer.split("/").slice(1);
  if (parts.length === 0) return ROOT;
  return parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
}
