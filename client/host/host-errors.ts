import { gavelErrorOf } from "../../shared/contract/errors.ts";
import { hostDownActions, runningHostActions } from "../common/error-actions.ts";
import { ActionableError } from "../errors/actionable-error.ts";

/** The host's process ended during a request. Its events are stored, and it is restarted automatically. */
export class HostGoneError extends Error {
  override readonly name = "HostGoneError";

  constructor(options?: ErrorOptions) {
    super("The agent host stopped before it answered. It is being restarted.", options);
  }
}

/** The host stopped too often to be restarted automatically. */
export class HostDownError extends ActionableError {
  override readonly name = "HostDownError";

  constructor() {
    super("The agent host stopped repeatedly and was not restarted. Restart it, or see the log.", ...hostDownActions);
  }
}

/** The user has stopped the host. */
export class HostEndedError extends ActionableError {
  override readonly name = "HostEndedError";

  constructor() {
    super("The agent host was stopped. Restart it to go on.", ...hostDownActions);
  }
}

/** A host runs for this window's teams, and cannot be joined. The message is what it, or its want of an answer, says. */
export class RunningHostError extends ActionableError {
  override readonly name = "RunningHostError";

  constructor(message: string) {
    super(message, ...runningHostActions);
  }
}

/** JSON-RPC's codes for a connection that is gone: vscode-jsonrpc's PendingResponseRejected and ConnectionInactive. */
const CONNECTION_GONE: ReadonlySet<unknown> = new Set([-32097, -32096]);

/** The error of a failed request: a GavelError if it is one of the protocol's. */
export function hostError(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(String(thrown));
  const code: unknown = "code" in thrown ? thrown.code : undefined;
  if (CONNECTION_GONE.has(code)) return new HostGoneError({ cause: thrown });
  const data: unknown = "data" in thrown ? thrown.data : undefined;
  return gavelErrorOf(thrown.message, data, { cause: thrown }) ?? thrown;
}
