import type { ModelRequest } from "../../engine/model.ts";
import { legalName } from "./legal-names.ts";
import { isStrict } from "./strict-schema.ts";

/** The JSON Schema of a structured answer, in the fields that both APIs share. */
export interface OutputFormat {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly strict: boolean;
}

/** The format for a structured output; strict where strict mode supports the schema. */
export function outputFormat({ name, schema }: NonNullable<ModelRequest["output"]>): OutputFormat {
  return { name: legalName(name), schema: { ...schema }, strict: isStrict(schema) };
}

/** The request with the schema in its instructions, for an endpoint that accepts no format. */
export function withOutputInstructions({ output, ...request }: ModelRequest): ModelRequest {
  if (output === undefined) return request;
  const text =
    "Answer with a single JSON value that conforms to the following JSON Schema. Do not write anything before or after it, " +
    `neither an explanation nor a code fence.\n${JSON.stringify(output.schema)}`;
  return { ...request, instructions: request.instructions === "" ? text : `${request.instructions}\n\n${text}` };
}
