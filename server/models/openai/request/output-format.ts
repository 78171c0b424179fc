import type { ModelRequest } from "../../../engine/model.ts";
import { legalName } from "./legal-names.ts";
import { isStrict } from "./strict-schema.ts";

/** The JSON schema that an answer is held to, in the fields that both APIs have. */
export interface OutputFormat {
  readonly name: string;
  readonly schema: Record<string, unknown>;
  readonly strict: boolean;
}

/** The format for a wanted output: strict where the schema is one that can be held to strictly. */
export function outputFormat({ name, schema }: NonNullable<ModelRequest["output"]>): OutputFormat {
  return { name: legalName(name), schema: { ...schema }, strict: isStrict(schema) };
}

/** The request with the wanted output told in its instructions, for an endpoint that takes no format. */
export function withOutputTold({ output, ...request }: ModelRequest): ModelRequest {
  if (output === undefined) return request;
  const told =
    "Answer with one JSON value of the following JSON Schema, and with nothing before or after it: no explanation and no " +
    `code fence.\n${JSON.stringify(output.schema)}`;
  return { ...request, instructions: request.instructions === "" ? told : `${request.instructions}\n\n${told}` };
}
