import { modelError } from "../../../shared/contract/errors.ts";
import { parseJson } from "../../../shared/parse-json.ts";
import { type SchemaCheck, schemaCheck } from "../json-schema/schema-check.ts";
import type { ModelRequest } from "../model.ts";

/** How often a model is asked for a valid answer. */
const MAX_ATTEMPTS = 3;

/** A valid answer, or what is wrong with it. */
export type ParsedAnswer = { readonly value: unknown } | { readonly problem: string };

/** The schema that a participant's answers must match, whether or not its endpoint enforces it. */
export class StructuredOutput {
  readonly format: NonNullable<ModelRequest["output"]>;
  readonly #check: SchemaCheck;

  constructor(format: NonNullable<ModelRequest["output"]>) {
    this.format = format;
    this.#check = schemaCheck(format.schema);
  }

  /** @throws Error when the schema is unusable. */
  parse(text: string): ParsedAnswer {
    const parsed = parseAnswer(text);
    if (parsed === undefined) return { problem: "it is not valid JSON" };
    const problem = this.#check(parsed.value);
    return problem === undefined ? parsed : { problem };
  }

  /**
   * The feedback for a model on an invalid answer.
   * @throws GavelError `ModelError` after too many attempts.
   */
  correction(participant: string, problem: string, attempts: number): string {
    if (attempts < MAX_ATTEMPTS) {
      return `Your response does not match the required JSON Schema: ${problem}. Respond with the complete JSON and nothing else.`;
    }
    throw modelError(
      `${participant} returned ${MAX_ATTEMPTS} answers that do not match its \`output.schema\`. The last problem: ${problem}. ` +
        "Simplify the schema, or use a model that supports structured output.",
      { retryable: false, fix: "teamFile" },
    );
  }
}

/** The JSON of an answer: the whole text, or a code fence in it. */
function parseAnswer(text: string): { readonly value: unknown } | undefined {
  const fenced = [...text.matchAll(/```[^\n`]*\n([\s\S]*?)```/g)].map(([, inside = ""]) => inside);
  for (const candidate of [text, ...fenced]) {
    try {
      return { value: parseJson(candidate) };
    } catch {
      // Try the next candidate.
    }
  }
  return undefined;
}
