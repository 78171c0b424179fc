/** Something is wrong with the agent host; the message is a sentence for the user. */
export class HostError extends Error {
  override readonly name: string = "HostError";
}

/** The agent host ended before it answered. */
export class HostEndedError extends HostError {
  override readonly name = "HostEndedError";
}
