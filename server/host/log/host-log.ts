/**
 * The host's log: `window/logMessage` with a level. Users attach it to bug reports, so no line contains a key, a prompt, a
 * message, or the input or output of a tool.
 */
export interface HostLog {
  /** A bug in Gavel. */
  error(message: string): void;
  /** Something failed, and the host continues. */
  warn(message: string): void;
  /** Starts and ends: of the host, teams, runs and interrupts; decisions on tool calls. */
  info(message: string): void;
  /** Details of a run, such as its speakers and retries. */
  debug(message: string): void;
}
