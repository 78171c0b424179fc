/** What went wrong with an agent program, as a sentence for the user that says what to do. */
export class AgentError extends Error {
  override readonly name = "AgentError";
}
