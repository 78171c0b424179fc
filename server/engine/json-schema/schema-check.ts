import type { ToolDeclaration } from "../../../shared/contract/definition.ts";
import type { JsonRecord } from "../../../shared/json-record.ts";
import type { Pattern } from "../pattern/pattern.ts";
import { PatternError } from "../pattern/pattern-error.ts";
import type { SchemaProblem } from "./checks.ts";
import { placeText } from "./place.ts";
import { References } from "./references.ts";
import { SchemaError } from "./schema-error.ts";
import { Validation } from "./validation.ts";

/** How many problems are reported; the first ones are usually enough for a model to correct the rest. */
const MAX_REPORTED = 5;

/** Says what is wrong with a value; undefined if it is valid. @throws Error if the schema itself cannot be used. */
export type SchemaCheck = (value: unknown) => string | undefined;

/**
 * Validates values against a JSON Schema (drafts 4, 7, 2019-09 and 2020-12, by its `$schema`; without it, 2020-12). Problems
 * are reported by path, such as `address.city: is missing`, separated by `;`. The work for one value is limited: patterns
 * take linear time, and a schema that takes too many steps cannot be used. `$dynamicRef` is read as `$ref`.
 */
export function schemaCheck(schema: JsonRecord): SchemaCheck {
  const draft = draftOf(schema["$schema"]);
  const patterns = new Map<string, Pattern>();
  let references: References | undefined;
  return (value) => {
    try {
      references ??= new References(schema, draft);
      const validation = new Validation(references, patterns, draft === "4" || draft === "7");
      return problemsText(validation.problems(schema, value ?? null));
    } catch (error) {
      if (error instanceof SchemaError) throw new Error(`The JSON Schema cannot be used: ${error.message}`);
      if (!(error instanceof PatternError)) throw error;
      throw new Error(`The JSON Schema cannot be used: its pattern ${error.message}`);
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

const draftOf = (dialect: unknown): string =>
  /draft-0?(4|7)/.exec(typeof dialect === "string" ? dialect : "")?.[1] ?? "2020-12";

function problemsText(problems: readonly SchemaProblem[]): string | undefined {
  if (problems.length === 0) return undefined;
  const texts = [...new Set(problems.map(problemText))];
  const more = texts.length - MAX_REPORTED;
  return [...texts.slice(0, MAX_REPORTED), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function problemText({ place, message = "is missing" }: SchemaProblem): string {
  return `${placeText(place) || "the value"}: ${message}`;
}
