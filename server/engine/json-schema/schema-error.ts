/** A JSON Schema that cannot be used. The message is the rest of a sentence. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}
