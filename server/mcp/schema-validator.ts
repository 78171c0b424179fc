import type { jsonSchemaValidator } from "@modelcontextprotocol/client";
import { isRecord } from "../../shared/json-record.ts";
import { schemaCheck } from "../engine/index.ts";

/** Checks values against a server's schemas with the engine's own check, which runs no code of a schema and is limited. */
export const schemaValidator: jsonSchemaValidator = {
  getValidator: (schema) => {
    const check = isRecord(schema) ? schemaCheck(schema) : () => undefined;
    return <T>(input: unknown) => {
      const problem = check(input);
      return problem === undefined
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: problem };
    };
  },
};
