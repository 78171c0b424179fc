/** What is wrong with how the command was called, and what to do: a sentence. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
