import { ERROR_CODES, type ErrorCode, type ErrorData, GavelError } from "../../shared/contract/errors.ts";
import { hostDownActions } from "../common/error-actions.ts";
import { ActionableError } from "../errors/actionable-error.ts";

/** The host's process ended while it was asked. What it had told is stored; it is started again by itself. */
export class HostGoneError extends Error {
  override readonly name = "HostGoneError";

  constructor(options?: ErrorOptions) {
    super("The agent host ended before it answered; it is being started again.", options);
  }
}

/** The host ended too often to be started again unasked. */
export class HostDownError extends ActionableError {
  override readonly name = "HostDownError";

  constructor() {
    super("The agent host stopped repeatedly and was not restarted. Restart it, or see the log.", ...hostDownActions);
  }
}

/** JSON-RPC's codes for a connection that is gone: vscode-jsonrpc's PendingResponseRejected and ConnectionInactive. */
const CONNECTION_GONE: ReadonlySet<unknown> = new Set([-32097, -32096]);

/** What a failed request threw, as the contract's error where it is one. */
export function hostError(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(String(thrown));
  const code: unknown = "code" in thrown ? thrown.code : undefined;
  if (CONNECTION_GONE.has(code)) return new HostGoneError({ cause: thrown });
  const data: unknown = "data" in thrown ? thrown.data : undefined;
  return isErrorData(data) ? new GavelError(thrown.message, data, { cause: thrown }) : thrown;
}

function isErrorData(data: unknown): data is ErrorData {
  return typeof data === "object" && data !== null && "code" in data && isErrorCode(data.code);
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERROR_CODES, code);
}
